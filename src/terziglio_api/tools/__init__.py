"""The commands of ``terziglio``, a module each.

A command's module has ``options(parser)``, which needs nothing but argparse, and
``run(args)``, which imports what it needs and returns the exit status. The table of
the commands is in ``terziglio_api.cli``.
"""
