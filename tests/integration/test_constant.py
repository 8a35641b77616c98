"""Words, rules, codes and the sample: compressed, and not sent to who has them."""

import gzip
from collections.abc import AsyncIterator

import httpx
import pytest

from terziglio_api.app import create_app
from terziglio_api.settings import Settings

DOCUMENTS = (
    "/v1/meta/words/en",
    "/v1/meta/words/it",
    "/v1/meta/rules/en",
    "/v1/meta/rules/it",
    "/v1/meta/codes",
    "/v1/meta/sample",
    "/v1/meta/sample?seat=0",
    "/v1/meta/sample?seat=0&lang=it",
)


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(Settings(database=None)))
    async with httpx.AsyncClient(
        transport=transport,
        base_url="http://example",
        headers={"Accept-Encoding": "identity"},
    ) as client:
        yield client


@pytest.mark.parametrize("path", DOCUMENTS)
async def test_a_document_is_sent_compressed_to_who_takes_it(
    http: httpx.AsyncClient, path: str
) -> None:
    whole = await http.get(path)
    assert "content-encoding" not in whole.headers
    async with http.stream("GET", path, headers={"Accept-Encoding": "gzip"}) as answer:
        sent = b"".join([part async for part in answer.aiter_raw()])
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"] == whole.headers["content-type"]
    assert gzip.decompress(sent) == whole.content
    assert len(sent) < len(whole.content) / 2


@pytest.mark.parametrize("path", DOCUMENTS)
async def test_a_document_is_sent_once_to_who_keeps_it(
    http: httpx.AsyncClient, path: str
) -> None:
    tag = (await http.get(path)).headers["etag"]
    answer = await http.get(path, headers={"If-None-Match": tag})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == tag
    assert answer.headers["cache-control"] == "no-cache"
    chosen = "Accept, Accept-Encoding" if "sample" in path else "Accept-Encoding"
    assert answer.headers["vary"] == chosen


async def test_no_two_documents_pass_for_each_other(http: httpx.AsyncClient) -> None:
    told = [await http.get(path) for path in DOCUMENTS]
    told.append(await http.get("/v1/meta/sample", headers={"Accept": "text/plain"}))
    assert told[-1].headers["content-type"] == "text/plain; charset=utf-8"
    assert len({answer.headers["etag"] for answer in told}) == len(told)
    assert len({answer.content for answer in told}) == len(told)
