"""Leaderboard of article extraction: every system on every corpus with such gold."""
