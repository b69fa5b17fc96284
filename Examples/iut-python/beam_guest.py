"""The BeamScribe guest under test. All there is to it is in beam/; this file is not compiled ahead, so it stays short."""
from beam.joining import Guest
from beam.loop import serve

serve(Guest, "iut-python 1, BeamScribe", ["screen", "ble", "better path", "latency"])
