"""What is said about a game of 1853: names, log lines, decisions, choices, holdings."""
