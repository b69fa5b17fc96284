"""Plays a program of this folder with the defect of the folder that it is called in: pieces of text in place of others."""
import json
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.append(here)
name, sys.argv = sys.argv[1], sys.argv[1:]
with open(os.path.join(here, name), encoding="utf-8") as file:
    program = file.read()
with open("defect.json", encoding="utf-8") as file:
    defect = json.load(file)
for change in defect["changes"] if defect["program"] == name else []:
    assert program.count(change["from"]) == 1, change
    program = program.replace(change["from"], change["to"])
exec(compile(program, name, "exec"), {"__name__": "__main__"})
