"""1853: railways in India, for three to six players."""
