"""Request bodies, read strictly: bounded in size, JSON as ``wire.strict`` reads it."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

from terziglio_api.wire import strict

__all__ = ["MalformedBody", "StrictRoute"]


class MalformedBody(HTTPException):
    """The body is not JSON as this service reads it: 400 ``malformed``."""

    def __init__(self, reason: str) -> None:
        super().__init__(400, reason)


class _StrictRequest(Request):
    async def body(self) -> bytes:
        """Return the body, but never read more of it than is allowed.

        The framework's own limit answers 413 in plain text; ours is a problem.
        """
        if not hasattr(self, "_body"):
            limit: int = self.app.state.hall.settings.body_bytes
            body = bytearray()
            async for chunk in self.stream():
                body += chunk
                if len(body) > limit:
                    raise MalformedBody(f"the body has more than {limit} bytes")
            self._body = bytes(body)
        return self._body

    async def json(self) -> Any:
        """Return what the body says."""
        try:
            return strict.loads(await self.body())
        except strict.Malformed as error:
            raise MalformedBody(str(error)) from None


class StrictRoute(APIRoute):
    """A route whose body is read strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return FastAPI's handler, on a request that reads strictly."""
        handler = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            return await handler(_StrictRequest(request.scope, request.receive))

        return strictly
