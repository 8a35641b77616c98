"""``terziglio warm``: compile the solver now, so that nobody's first hand waits."""

import argparse
import sys

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options: there are none."""
    parser.description = (
        "Compile the solver and keep it for later: in numba's cache, which is where "
        "NUMBA_CACHE_DIR says, else beside the code. A server warms its own processes "
        "in the background, which takes seconds without that cache."
    )


def run(args: argparse.Namespace) -> int:
    """Compile, say how long it took, and return the exit status."""
    del args
    from time import perf_counter

    from terziglio_api.thinking import TASKS, installed

    tasks = {task: TASKS[task] for task in sorted(installed(TASKS))}
    if not tasks:
        told = "no solver to warm: pip install '.[strong]' in Terziglio's folder"
        print(f"terziglio: {told}", file=sys.stderr)
        return 2
    from terziglio_api.labour import warm

    begin = perf_counter()
    warm(tasks)
    print(f"warm in {perf_counter() - begin:.1f} s: {', '.join(tasks)}")
    return 0
