"""A Bab host and a Bab client, written from Docs/Protocol alone."""
