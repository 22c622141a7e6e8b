"""The engine shared by all titles: state, actions, chance, positions and records. Imports no game."""
