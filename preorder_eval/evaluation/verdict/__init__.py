"""The verdict: a question, the difference that answers it, its caveats, and their wording."""
