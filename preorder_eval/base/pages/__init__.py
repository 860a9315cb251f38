"""Pages: self-contained HTML from templates, and a server on this machine only."""
