"""Bytecode of any supported Python version -> operations that no longer depend on the version."""
