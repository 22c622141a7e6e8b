"""Accounts, sessions and ratings."""
