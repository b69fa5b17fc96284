"""Shards of babbench campaigns, played by the nodes of a Ray cluster. Docs/distributed.md describes it."""

__version__ = "0.2.0"
