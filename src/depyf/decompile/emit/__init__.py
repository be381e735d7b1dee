"""Statements -> tidy statements -> text, with a map from lines to bytecode offsets."""
