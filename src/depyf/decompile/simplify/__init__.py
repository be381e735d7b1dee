"""Rewrites the operations of a frame so that only what matters is left: values, not shuffles.

Code generators pack values into lists, shuffle them and unpack them again. Here a frame is run
symbolically (`symbolic`), which leaves a list of effects in order, and those become operations
again (`rebuild`). It is a proposal like any other: the proof decides about the text made of it.
"""
