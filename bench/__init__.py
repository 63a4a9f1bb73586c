"""Speed and quality, measured against others in one run: `make bench`, `make quality`."""
