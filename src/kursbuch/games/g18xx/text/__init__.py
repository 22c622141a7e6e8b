"""What is said: names of things, log lines, decisions, holdings."""
