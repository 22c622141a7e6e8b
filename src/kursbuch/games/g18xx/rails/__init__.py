"""Games played with the program Rails-18xx: its save files, how it turns tiles and numbers cities, and
the search for what its files do not say. What a title adds stands in its own package."""
