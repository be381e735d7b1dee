"""Random programs and mutated bytecode: what they are made of, how they run, how they shrink."""
