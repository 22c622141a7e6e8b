"""People: accounts, sessions, tokens, ratings. Whoever wants none of it stays an anonymous browser."""
