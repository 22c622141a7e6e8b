"""Tables: one module per thing that can be done at a table, its routes beside it."""
