"""What an experiment found: pooled scores, pairs, rankings, as plain values."""
