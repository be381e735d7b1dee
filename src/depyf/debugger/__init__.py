"""Compiled code that runs from the files of a dump folder, and the pause in which to step in."""
