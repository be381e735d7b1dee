"""Operations -> a graph of blocks, with exception regions as sets of blocks per handler."""
