"""Reference sets: what orders are compared with, how it is made, checked and edited."""
