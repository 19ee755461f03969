"""Runs an experiment: splits, columns, units that are kept, engines that do them."""
