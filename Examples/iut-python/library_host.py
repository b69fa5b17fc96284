"""The host as a library without a radio, under test. All there is to it is in bab/; this file stays short."""
from bab.library import LibraryHost
from bab.loop import serve

serve(LibraryHost, "iut-python 1, library", [
    "roles", "turns", "generate", "votes", "scoring", "summary", "achievements", "reconnect", "screen",
    "refusals", "solo"])
