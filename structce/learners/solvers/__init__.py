"""Solvers of the learners' training problems."""
