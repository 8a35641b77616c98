"""The service over the game: tables, REST, and one websocket a seat."""
