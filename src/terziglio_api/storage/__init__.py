"""Where table logs are kept: in memory, or in one SQLite file."""
