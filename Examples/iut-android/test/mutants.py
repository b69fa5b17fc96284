#!/usr/bin/env python3
"""Breaks the sample where Android has a rule of its own, and wants the suite to fail it: mutants.py BABBENCH [COUNT]

One JVM for each mutant; the first COUNT, or all. Exit 0 when every one fails, 1 when one passes.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent

#: Compiling is short, so that the second compiler of the JVM costs more than it saves.
QUICKLY = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]

#: What is broken, the purposes that see it, the file, what is there, what takes its place.
MUTANTS = [
    ("writes the next value before onCharacteristicWrite", "BAB/CLIENT/LOBBY/BV-0*", "ClientLink.java",
     "BluetoothGattCharacteristic.WRITE_TYPE_NO_RESPONSE);\n",
     "BluetoothGattCharacteristic.WRITE_TYPE_NO_RESPONSE);\n    isWriting = false;\n    pump();\n"),
    ("subscribes to all at once", "BAB/CLIENT/GATT/BV-01-C", "ClientLink.java",
     "    if (!isAsked) disconnect();\n", "    if (!toSubscribe.isEmpty()) subscribe();\n"),
    ("scans before each attempt", "BAB/CLIENT/LINK/BI-01-C", "LobbyClient.java",
     " known = from.device();", " known = null;"),
]


def main() -> int:
    bench = os.path.realpath(sys.argv[1])
    jar = ROOT / ".build/android/babbench-android.jar"
    mutants = MUTANTS[:int(sys.argv[2])] if len(sys.argv) > 2 else MUTANTS
    passed = 0
    for what, purposes, name, there, instead in mutants:
        with tempfile.TemporaryDirectory() as folder:
            sources = pathlib.Path(folder) / "lobby"
            shutil.copytree(HERE / "src/lobby", sources)
            text = (sources / name).read_text()
            if text.count(there) != 1:
                raise SystemExit(f"{name} has {text.count(there)} times: {there}")
            (sources / name).write_text(text.replace(there, instead))
            classes = os.path.join(folder, "classes")
            files = [str(file) for file in sources.iterdir()]
            javac = ["javac", *QUICKLY, "-encoding", "UTF-8", "-cp", str(jar), "-d", classes]
            subprocess.run([*javac, *files], check=True)
            command = [str(ROOT / "Android/serve"), classes, "lobby.Lobby", bench, "conform", "--iut",
                       str(HERE / "served-client.yaml"), "--select", purposes]
            environment = dict(os.environ, JAVA_OPTIONS="-Dbabbench.api=33 -Dbabbench.log=7")
            result = subprocess.run(command, capture_output=True, text=True, env=environment)
        if result.returncode != 1:
            passed += 1
            print(f"NOT FAILED (exit {result.returncode}): {what}\n{result.stdout[-800:]}{result.stderr[-800:]}")
    print(f"{len(mutants)} of {len(MUTANTS)} mutants, {passed} not failed")
    return 1 if passed else 0


sys.exit(main())
