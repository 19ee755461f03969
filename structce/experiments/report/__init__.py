"""Reports of experiments: files, findings in words, tables, plots, the HTML page, differences."""
