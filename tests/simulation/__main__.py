"""Lives through seeds again: ``PYTHONPATH=tests python -m simulation 1234``."""

import argparse
import sys

from simulation.run import simulate


def main() -> int:
    """Run the seeds; with ``--trace`` print all that happens."""
    parser = argparse.ArgumentParser(prog="python -m simulation")
    parser.add_argument("seed", type=int, nargs="+")
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args()
    red = False
    for seed in options.seed:
        verdict = simulate(seed, tell=options.trace)
        sys.stdout.writelines(f"{line}\n" for line in verdict.lines)
        told = str(verdict) if verdict.wrong else f"seed {seed}: good"
        sys.stdout.write(f"{told}\n{verdict.counts} {verdict.trace}\n")
        red |= bool(verdict.wrong)
    return red


if __name__ == "__main__":
    sys.exit(main())
