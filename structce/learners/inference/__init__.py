"""Decoding of pages and probabilities of their labels."""
