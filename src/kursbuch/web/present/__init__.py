"""Makes what the templates get, in the reader's language."""
