"""The map: hexes and tiles, the track that lies on it, and the best runs over it."""
