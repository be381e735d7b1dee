"""The model of what torch.compile did, and its way to JSON and back. Knows nothing of torch."""
