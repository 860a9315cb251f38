"""A page on which people link the words of a reference folder."""
