"""Drawings: the map, the stock market chart and the other sheets."""
