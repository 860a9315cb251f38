"""Reference sets, which orders are compared with: making, checking and editing them."""
