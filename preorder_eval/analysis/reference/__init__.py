"""Reference sets analysed: checks, statistics, agreement, and annotation."""
