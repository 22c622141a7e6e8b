"""What is drawn: the map, the share price chart, the sheets."""
