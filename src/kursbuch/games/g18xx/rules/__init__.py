"""Rules that 18xx titles share."""
