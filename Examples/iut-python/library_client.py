"""The client as a library without a radio, under test. All there is to it is in bab/; this file stays short."""
from bab.library import LibraryClient
from bab.loop import serve

serve(LibraryClient, "iut-python 1, library", [
    "roles", "turns", "generate", "votes", "scoring", "summary", "achievements", "reconnect", "screen",
    "refusals", "solo"])
