"""The map: hexes, tiles, track, and the best runs."""
