"""Is a feature worth having: what it covers, what it tells of the labels, what it changes."""
