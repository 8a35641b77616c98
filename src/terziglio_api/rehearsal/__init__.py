"""A rehearsal of the protocol: the sessions that the specs' examples are from.

They drive the real application in process, with fixed seeds and no computer players,
through every operation with every status that it documents, and every message of the
socket. The same code always records the same examples.
"""
