"""Play."""

import argparse


def play(args: argparse.Namespace) -> int:
    """Play."""
    return 0
