"""Uploaded files, parsed in child processes."""
