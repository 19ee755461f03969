"""Training by third-party packages."""
