"""Backups: a database in one file, which can be restored to SQLite or PostgreSQL."""
