"""The service's own log: structured lines on standard error, through ``logging``.

A line is an event with fields: table, ``seq``, kind. Never a card, a token, a name or
a body: whoever reads the log learns nothing that a seat may not know.
"""

import logging
import sys
from typing import Any

import structlog
from structlog.stdlib import BoundLogger, ProcessorFormatter

__all__ = ["configure", "logger"]


def logger(name: str) -> BoundLogger:
    """Return the logger of a module; it does not depend on any global set-up."""
    bound: BoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.add_log_level,
            ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=BoundLogger,
        cache_logger_on_first_use=True,
    )
    return bound


def configure(level: str) -> None:
    """Send every logger's lines to standard error, one JSON object each."""
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True)
    formatter = ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_logger_name,
            structlog.stdlib.add_log_level,
        ],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            stamp,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(default=_told),
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # It names the whole address of every socket, queries included.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


def _told(value: Any) -> str:
    return str(value)
