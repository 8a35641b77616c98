"""Settings from the environment, each with its default.

``TERZIGLIO_DATABASE=/data/tables.sqlite3`` sets ``database``, and so on.
"""

from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["Settings"]


class Settings(BaseSettings):
    """What can be set about the service."""

    model_config = SettingsConfigDict(env_prefix="TERZIGLIO_", frozen=True)

    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port; 0 takes a free one."
    )
    database: Path | None = Field(
        default_factory=lambda: user_data_path("terziglio") / "tables.sqlite3",
        description="The SQLite file with every table's log; by default "
        "`tables.sqlite3` in the user's data directory.",
    )
    dev: bool = Field(default=False, description="Allow forced deals and seeds.")
    web: bool = Field(default=True, description="Serve the page at `/`.")
    web_origin: str | None = Field(
        default=None,
        description="Where join links point to, and a page that may use the service; "
        "by default the address that the request came to.",
    )
    origins: tuple[str, ...] = Field(
        default=(), description="Origins of web pages that may use the service."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least level of what is logged."
    )

    hello_s: float = Field(
        default=5, gt=0, description="Seconds for a socket's first message."
    )
    heartbeat_s: int = Field(
        default=10, ge=1, description="Seconds between pings, and for the pong to come."
    )
    send_s: float = Field(
        default=5,
        gt=0,
        description="Seconds that a frame may take to leave, and a full queue may stay "
        "full, before the socket is aborted.",
    )
    poll_s: float = Field(
        default=5,
        ge=0,
        description="Seconds after a long poll that its seat still counts as present.",
    )
    outbox: int = Field(
        default=64, ge=1, description="Frames that may wait for one socket."
    )
    sockets: int = Field(
        default=4, ge=1, description="Sockets and event streams a seat may have."
    )
    message_bytes: int = Field(
        default=4096, ge=256, description="Largest message accepted."
    )
    signal_bytes: int = Field(
        default=16384, ge=256, description="Largest `signal` accepted."
    )
    frame_bytes: int = Field(
        default=20480, ge=4096, description="Largest frame accepted."
    )
    body_bytes: int = Field(
        default=16384, ge=1024, description="Largest body accepted."
    )
    stop_s: int = Field(
        default=10, ge=1, description="Seconds that a stop may take at most."
    )

    socket_rate: float = Field(
        default=10, ge=0, description="Messages a second from one socket; 0: no limit."
    )
    socket_burst: int = Field(default=40, ge=1, description="Messages in a burst.")
    seat_rate: float = Field(
        default=20, ge=0, description="Requests a second of one seat; 0: no limit."
    )
    seat_burst: int = Field(default=60, ge=1, description="Requests in a burst.")
    address_rate: float = Field(
        default=20,
        ge=0,
        description="Requests a second without a seat from one address; 0: no limit.",
    )
    address_burst: int = Field(default=60, ge=1, description="Requests in a burst.")
    tables_rate: float = Field(
        default=50,
        ge=0,
        description="New tables an hour from one address; 0: no limit, and none in "
        "dev mode.",
    )
    trusted_proxies: str = Field(
        default="127.0.0.1",
        description="Proxies whose `X-Forwarded-For` is believed, with commas.",
    )
    most_sockets: int = Field(
        default=6000,
        ge=1,
        description="Open sockets past which no new table is opened.",
    )
    most_lag_ms: int = Field(
        default=250,
        ge=1,
        description="Lag of the event loop, as the median over 5 s, past which no new "
        "table is opened.",
    )

    keep_s: float = Field(
        default=24 * 3600,
        gt=0,
        description="Seconds after its last change that a table is closed and deleted.",
    )
    thrown_in_ms: int = Field(
        default=3000, ge=0, description="Pause after a thrown-in deal."
    )

    workers: int | None = Field(
        default=None,
        ge=0,
        description="Processes for the players that think, `search` and `expert`, and "
        "for hints; analyses have one more. By default one less than the cores, at "
        "least one; 0: such players, hints and analyses are not offered.",
    )
    think_s: float = Field(
        default=10,
        gt=0,
        description="Seconds for such a player's move or a hint, once its turn has "
        "come; then the process is replaced and the house plays.",
    )
    analysis_s: float = Field(
        default=120, gt=0, description="Seconds for the analysis of a hand."
    )

    stun_urls: tuple[str, ...] = Field(
        default=(), description="STUN servers for voice: `stun:host:port`."
    )
    turn_urls: tuple[str, ...] = Field(
        default=(), description="TURN servers for voice: `turn:host:port`."
    )
    turn_secret: SecretStr | None = Field(
        default=None,
        description="The secret that is shared with the TURN servers "
        "(`static-auth-secret` of coturn).",
    )
    turn_ttl_s: int = Field(
        default=3600, ge=60, description="Seconds that TURN credentials are good for."
    )

    @property
    def pages(self) -> tuple[str, ...]:
        """Origins of pages that may use the service, besides its own."""
        if self.web_origin is None:
            return self.origins
        # It may be a folder of its host; an origin is only scheme and host.
        scheme, _, rest = self.web_origin.partition("://")
        return (f"{scheme}://{rest.partition('/')[0]}", *self.origins)
