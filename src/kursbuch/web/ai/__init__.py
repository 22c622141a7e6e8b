"""Computer opponents on the server: scheduling, moves and hints."""
