"""The best trains on a position set up by hand."""
