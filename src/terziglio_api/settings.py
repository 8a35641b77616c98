"""Settings from the environment, each with its default.

``TERZIGLIO_DATABASE=/data/tables.sqlite3`` sets ``database``, and so on.
"""

from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field
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
    web_origin: str = Field(
        default="http://127.0.0.1:8000", description="Where join links point to."
    )
    origins: tuple[str, ...] = Field(
        default=(), description="Origins of web pages that may use the service."
    )
    hello_s: float = Field(
        default=5, gt=0, description="Time for a socket's first message."
    )
    send_s: float = Field(
        default=5, gt=0, description="Time a full outbox may stay full."
    )
    outbox: int = Field(
        default=64, ge=1, description="Frames that may wait for one socket."
    )
    sockets: int = Field(default=4, ge=1, description="Sockets a seat may have.")
    message_bytes: int = Field(
        default=4096, ge=256, description="Largest message accepted."
    )
    frame_bytes: int = Field(
        default=20480, ge=4096, description="Largest frame accepted."
    )
    body_bytes: int = Field(
        default=16384, ge=1024, description="Largest body accepted."
    )
    heartbeat_s: int = Field(
        default=10, ge=1, description="Seconds between socket pings."
    )
    thrown_in_ms: int = Field(
        default=3000, ge=0, description="Pause after a thrown-in deal."
    )
