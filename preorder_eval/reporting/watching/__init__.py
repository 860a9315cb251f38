"""A rule file scored again on every save, and a report that keeps up with it."""
