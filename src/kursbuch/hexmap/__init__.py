"""Hexagonal maps: coordinates, neighbours, and drawing in SVG."""
