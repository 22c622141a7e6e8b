"""The rules that 18xx titles share, in the order of play."""
