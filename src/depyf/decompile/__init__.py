"""From code objects to source: the stages are listed, in order, in `pipeline`."""
