"""Proof that recompiled source does what the original bytecode does.

Nothing here imports the decoder: what is checked and what checks it share no code.
"""
