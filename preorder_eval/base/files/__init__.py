"""Files: opened, scanned, checked by schemas, and written whole or not at all."""
