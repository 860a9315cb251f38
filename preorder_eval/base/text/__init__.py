"""Text: tokenizers, languages and scripts, and files of sentences."""
