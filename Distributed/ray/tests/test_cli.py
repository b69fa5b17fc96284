"""The command line: each wrong use is one line and 64."""

import contextlib
import io
import os
import sys
from pathlib import Path
from unittest import mock

from babbench_ray.cli import main, octets
from fakes import FAKE_BENCH, ScratchTest


class CommandLineTest(ScratchTest):
    """What the command refuses before it needs Ray."""

    def setUp(self) -> None:
        """Works in the folder of the test."""
        super().setUp()
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(self.folder)

    def said(self, *words: str) -> tuple[int, str]:
        """The exit code, and what went to standard error."""
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            return main(words), errors.getvalue()

    def test_wrong_use_is_one_line(self) -> None:
        """Exit code 64 (Docs/Formats/exit-codes.md), and nothing is left in the folder."""
        right = ["run", "--binary", str(FAKE_BENCH), "--shards", "2", "--out", "whole"]
        for words, line in (
            ([], "required: run"),
            (["play"], "invalid choice"),
            (["run", "--shards", "2"], "required: --binary, --out"),
            ([*right, "--shards", "many", "--", "stress"], "a number is wanted, not 'many'"),
            ([*right, "--shards", "0", "--", "stress"], "--shards must be 2 to 100000"),
            ([*right, "--cpus", "0", "--", "stress"], "--cpus must be at least 1"),
            ([*right, "--limit", "10 parsecs", "--", "stress"], "a size is a number"),
            ([*right], "no command: give one after --"),
            ([*right, "--", "stress", "--out", "x"], "--out is given to each shard"),
            ([*right, "--with", "gone", "--", "stress"], "gone: no such file"),
            ([*right, "--binary", "gone", "--", "stress"], "gone: no such file"),
            ([*right, "--binary", __file__, "--", "stress"], "not executable"),
            ([*right, "--binary", "/bin/false", "--", "stress"], "/bin/false: this does not start"),
            ([*right, "--fast", "--", "stress"], "unrecognized arguments: --fast"),
        ):
            with self.subTest(line):
                code, said = self.said(*words)
                self.assertEqual((code, said.count("\n")), (64, 1), said)
                self.assertIn(line, said)
                self.assertTrue(said.startswith("babbench-ray: "))
        self.assertFalse(any(path.name.startswith("whole") for path in self.folder.iterdir()))

    def test_a_machine_without_ray_is_told(self) -> None:
        """The rest of the package does not need it."""
        with mock.patch.dict(sys.modules, {"ray": None}):
            sys.modules.pop("babbench_ray.cluster", None)
            code, said = self.said("run", "--binary", str(FAKE_BENCH), "--shards", "2", "--out", "whole", "--", "pass")
        self.assertEqual(code, 3)
        self.assertRegex(said, "^babbench-ray: Ray is not installed: .*\n$")
        self.assertFalse((self.folder / "whole.shards").exists())

    def test_sizes_have_units(self) -> None:
        """Decimal and binary."""
        self.assertEqual([octets(text) for text in ("7", "2KB", "2KiB", "1GiB")], [7, 2000, 2048, 2**30])
