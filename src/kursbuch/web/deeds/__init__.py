"""What can be done at tables, by subject. `visitor` is always the id of a browser."""
