"""Training by packages that others wrote."""
