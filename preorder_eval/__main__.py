"""`python -m preorder_eval`."""

from preorder_eval.cli import main

main()
