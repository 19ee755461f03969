"""Tables of a report, written as text, Markdown and LaTeX."""
