"""The program: `preorder-eval`, or `python -m preorder_eval`."""

import os
import sys


def main() -> None:
    """Run the command line; an interruption prints nothing, from its first import on."""
    # Our matrices are small: numpy's threads would wait for each other, and that at full speed. The
    # last digit of long sums would depend on how many cores there are.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from preorder_eval.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
