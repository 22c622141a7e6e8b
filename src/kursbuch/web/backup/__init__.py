"""Backups: a database in one file, from which either kind of database is made again."""
