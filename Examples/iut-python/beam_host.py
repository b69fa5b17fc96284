"""The BeamScribe host under test. All of it is in beam/; this file is not compiled ahead, so it stays short."""
from beam.hosting import Host
from beam.loop import serve

serve(Host, "iut-python 1, BeamScribe")
