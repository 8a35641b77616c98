"""Changes are begun at once, and finished even if nobody waits any more."""

import asyncio

import pytest

from terziglio_api.eager import Finisher


async def test_what_need_not_wait_is_done_in_the_callers_turn() -> None:
    finisher, turns = Finisher(), list[int]()
    asyncio.get_running_loop().call_soon(turns.append, 1)

    async def change() -> str:
        return "done"

    assert await finisher.finish(change()) == "done"
    assert not turns


async def test_what_waits_goes_on_without_its_caller() -> None:
    finisher, steps = Finisher(), list[str]()
    first, second = asyncio.Event(), asyncio.Event()

    async def change() -> None:
        await first.wait()
        steps.append("first")
        await second.wait()
        steps.append("second")

    caller = asyncio.create_task(finisher.finish(change()))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    first.set()
    second.set()
    await finisher.close()
    assert steps == ["first", "second"]


@pytest.mark.parametrize("waits", [False, True])
async def test_what_fails_tells_its_caller(waits: bool) -> None:
    finisher, waited = Finisher(), asyncio.get_running_loop().create_future()
    if waits:
        asyncio.get_running_loop().call_soon(waited.set_exception, KeyError("late"))
    else:
        waited.set_exception(KeyError("late"))

    async def change() -> None:
        try:
            await waited
        except KeyError as error:
            raise LookupError("told") from error

    with pytest.raises(LookupError, match="told"):
        await finisher.finish(change())
