"""A graph of blocks -> a tree of statements, with its ladder of fallbacks."""
