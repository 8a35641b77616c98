"""What browsers need to set up voice: ICE servers, with credentials for some minutes.

The credentials are those that coturn's ``use-auth-secret`` accepts: the name is when
they end, the password its HMAC-SHA1 under the shared secret.
"""

import base64
import hmac
from collections.abc import Sequence

from terziglio_api.wire.base import Outgoing, optional

__all__ = ["IceModel", "ice_of"]


class IceServer(Outgoing):
    """A member of `RTCConfiguration.iceServers`."""

    urls: list[str]
    username: str | None = optional("For a TURN server.")
    credential: str | None = optional("For a TURN server.")


class IceModel(Outgoing):
    """The servers for a browser's `RTCPeerConnection`."""

    ice_servers: list[IceServer]
    ttl_s: int
    """Seconds that the credentials are good for."""


def ice_of(
    stun: Sequence[str],
    turn: Sequence[str],
    secret: str | None,
    ttl_s: int,
    now: int,
) -> IceModel:
    """Return the ICE servers for one seat.

    Args:
        stun: addresses of STUN servers.
        turn: addresses of TURN servers; left out without a secret.
        secret: what is shared with the TURN servers.
        ttl_s: seconds that credentials are good for.
        now: milliseconds since 1970, UTC.
    """
    servers = [IceServer(urls=list(stun))] if stun else []
    if turn and secret is not None:
        name = f"{now // 1000 + ttl_s}:terziglio"
        mac = hmac.digest(secret.encode(), name.encode(), "sha1")
        password = base64.b64encode(mac).decode()
        servers.append(IceServer(urls=list(turn), username=name, credential=password))
    return IceModel(ice_servers=servers, ttl_s=ttl_s)
