"""Import of public data sets: pages read, gold aligned, corpora of regions, memory."""
