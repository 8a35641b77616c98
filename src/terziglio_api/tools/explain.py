"""``terziglio explain``: a hand in sentences, with the rules that applied."""

import argparse
import sys

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.description = (
        "Tell a hand in sentences, with the rules that applied. Of a hand that breaks "
        "a rule it tells all up to there, and which rule; the exit status is then 1."
    )
    parser.add_argument(
        "hand",
        metavar="HAND",
        help="a file, - for standard input, or the text itself: notation (in one line: "
        "a ; for each line's end) or a record of the service in JSON",
    )
    parser.add_argument("--lang", choices=("en", "it"), default="en", help="language")
    parser.add_argument(
        "--deck", choices=("french", "italian"), help="whose names the cards have"
    )
    parser.add_argument(
        "--no-rules", action="store_true", help="leave out the rules' texts at the end"
    )


def run(args: argparse.Namespace) -> int:
    """Tell the hand; return the exit status."""
    from terziglio.trial import rule_of
    from terziglio.words import Words
    from terziglio_api.telling import refused, rule_texts, steps
    from terziglio_api.texts import Unclear, hand_of, read

    words, wrong = Words(args.lang, args.deck), None
    try:
        hand = hand_of(read(args.hand))
    except OSError as error:
        print(f"terziglio: {args.hand}: {error.strerror}", file=sys.stderr)
        return 2
    except Unclear as told:
        if told.hand is None or told.refused is None:
            print(f"terziglio: {told}", file=sys.stderr)
            return 2
        hand, wrong = told.hand, told
    used: list[str] = []
    for number, step in enumerate(steps(hand, words)):
        print(f"{number:>3}  {step.sentence} ({', '.join(step.rules)})")
        used += step.rules
    if wrong is not None and wrong.refused is not None:
        rule = rule_of(wrong.refused)
        used = [rule]
        print(f"\n{wrong}")
        print(f"breaks {rule}, {wrong.refused.code}: {words.refusal(wrong.refused)}")
        print(f"would do: {refused(hand)}")
    if not args.no_rules:
        texts = rule_texts(args.lang)
        print()
        for rule in sorted(set(used), key=lambda rule: int(rule[1:])):
            print(f"{rule}: {texts[rule]}")
    return 0 if wrong is None else 1
