"""What scoring gives: systems, what they are held against, their scores, and comparisons."""
