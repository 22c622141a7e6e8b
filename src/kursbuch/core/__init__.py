"""What every game shares: state, agenda, actions, chance, transfers, records. Imports no game."""
