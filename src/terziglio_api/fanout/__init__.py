"""How followers of a table learn that it has changed."""
