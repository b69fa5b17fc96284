"""Holds the files of the installed package against the list of its wheel."""

import base64
import hashlib
import importlib.metadata
import sys

files = [file for file in importlib.metadata.distribution("babbench").files or [] if file.hash is not None]
wrong = []
for file in files:
    octets = file.locate().read_bytes()
    own = base64.urlsafe_b64encode(hashlib.new(file.hash.mode, octets).digest()).rstrip(b"=").decode()
    if own != file.hash.value or file.size != len(octets):
        wrong.append(str(file))
names = {str(file) for file in files}
needed = ["bin/babbench", "py.typed", "share/babbench/Scenarios/lobby/eight-peer-lobby.yaml"]
missing = {"babbench/" + name for name in needed} - names
if wrong or missing:
    sys.exit(f"wrong: {wrong}; missing: {sorted(missing)}")
print(f"{len(files)} files")
