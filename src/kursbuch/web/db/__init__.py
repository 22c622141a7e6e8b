"""The database: connection, models, migrations."""
