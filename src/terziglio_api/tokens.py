"""Seat tokens and invites: 256-bit secrets of which only hashes are kept."""

import hmac
import secrets
from hashlib import sha256
from typing import Final

__all__ = ["INVITE", "SEAT", "digest", "matches", "new_secret", "new_table_id"]

SEAT: Final = "tzs_"
"""What a seat token begins with."""
INVITE: Final = "tzi_"
"""What an invite begins with."""
_TABLE: Final = "t_"


def new_secret(prefix: str) -> str:
    """Return a fresh secret of 256 bits, URL-safe, behind its prefix."""
    return prefix + secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Return the hash under which a secret is stored."""
    return sha256(secret.encode()).hexdigest()


def matches(secret: str, stored: str | None) -> bool:
    """Return whether a secret has this hash, in constant time."""
    return hmac.compare_digest(digest(secret), stored or "")


def new_table_id(origin: str | None = None) -> str:
    """Return a table id of 144 bits: random, or fixed by the request it came from.

    Args:
        origin: what names the request; the same origin gives the same table, so a
            repeated request meets the table it made. ``None``: a random id.
    """
    if origin is None:
        return _TABLE + secrets.token_hex(18)
    return _TABLE + sha256(origin.encode()).hexdigest()[:36]
