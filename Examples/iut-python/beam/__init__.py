"""BeamScribe in Python, written from Docs/Protocol/beamscribe.md."""
