"""Listening to torch.compile: hooks and handlers fill a session. Nothing else imports torch."""
