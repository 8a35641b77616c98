"""The wire's JSON: models of every request, response and message, and no rules."""
