"""The program: `preorder-eval`, or `python -m preorder_eval`."""

import sys


def main() -> None:
    """Run the command line; an interruption prints nothing, from its first import on."""
    try:
        from preorder_eval.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
