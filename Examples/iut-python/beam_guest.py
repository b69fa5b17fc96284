"""The BeamScribe guest under test. All of it is in beam/; this file is not compiled ahead, so it stays short."""
from beam.joining import Guest
from beam.loop import serve

serve(Guest, "iut-python 1, BeamScribe")
