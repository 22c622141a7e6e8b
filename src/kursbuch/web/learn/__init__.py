"""Rules, player aids and guided games."""
