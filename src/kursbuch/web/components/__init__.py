"""The page on which owners of a game correct its component data."""
