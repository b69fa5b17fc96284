"""Folders as octet strings."""

import gzip
import io
import os
import tarfile
from pathlib import Path

from babbench_ray.bundle import bench_files, digest, files_below, installed, locked, pack, unpack
from fakes import ARCHIVE, FAKE_BENCH, Refusal, ScratchTest


class BundleTest(ScratchTest):
    """Packing, unpacking, and what is packed."""

    def tree(self) -> Path:
        """A folder with a file in a folder, and an executable."""
        root = self.folder / "tree"
        (root / "worlds").mkdir(parents=True)
        (root / "worlds" / "a").write_text("a")
        (root / "tool").write_text("#!/bin/sh\n")
        (root / "tool").chmod(0o755)
        return root

    def test_a_folder_arrives_as_it_was(self) -> None:
        """Contents, names and the right to execute."""
        unpack(pack(files_below(self.tree())), self.folder / "copy")
        self.assertEqual((self.folder / "copy/worlds/a").read_text(), "a")
        self.assertTrue(os.access(self.folder / "copy/tool", os.X_OK))
        self.assertFalse(os.access(self.folder / "copy/worlds/a", os.X_OK))

    def test_tar_itself_reads_the_archive(self) -> None:
        """The format is nobody's own."""
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(pack(files_below(self.tree()))))) as archive:
            self.assertEqual(archive.getnames(), ["tool", "worlds/a"])

    def test_equal_files_give_equal_octets(self) -> None:
        """Times do not count, contents do."""
        root = self.tree()
        before = digest(pack(files_below(root)))
        os.utime(root / "tool", (1, 1))
        self.assertEqual(digest(pack(files_below(root))), before)
        (root / "tool").write_text("else")
        self.assertNotEqual(digest(pack(files_below(root))), before)

    def test_names_at_the_top_can_be_left_out(self) -> None:
        """Whole folders too."""
        self.assertEqual([name for name, _ in files_below(self.tree(), ["worlds"])], ["tool"])

    def test_half_an_archive_leaves_nothing(self) -> None:
        """A folder that is there is whole."""
        octets = pack(files_below(self.tree()))
        for cut in (0, 10, len(octets) // 2, len(octets) - 1):
            with self.assertRaises((EOFError, tarfile.TarError, OSError)):
                unpack(octets[:cut], self.folder / "deep" / "copy")
            self.assertEqual(list((self.folder / "deep").iterdir()), [])

    def test_an_archive_cannot_write_elsewhere(self) -> None:
        """A name that climbs is refused."""
        with self.assertRaisesRegex(Refusal, "no archive of a shard has this"):
            unpack(pack([("../escaped", FAKE_BENCH)]), self.folder / "copy")
        self.assertFalse((self.folder / "escaped").exists())

    def test_the_bench_is_unpacked_once_on_a_node(self) -> None:
        """The second process does not fetch it."""
        fetched: list[int] = []

        def fetch() -> bytes:
            fetched.append(1)
            return ARCHIVE

        self.assertEqual(installed("abc", fetch), installed("abc", fetch))
        self.assertEqual(len(fetched), 1)

    def test_a_lock_is_held_by_those_who_inherit_it(self) -> None:
        """A descriptor that is open elsewhere keeps the lock."""
        with locked(self.folder / "lock") as descriptor:
            self.assertTrue(os.fstat(descriptor).st_ino)

    def test_what_nodes_get(self) -> None:
        """The bench under its name, Scenarios, and what --with names."""
        (self.folder / "Scenarios").mkdir()
        (self.folder / "Scenarios/one.yaml").write_text("summary: one\n")
        (self.folder / "my.yaml").write_text("summary: mine\n")
        names = [name for name, _ in bench_files(FAKE_BENCH, ["./my.yaml"], self.folder)]
        self.assertEqual(sorted(names), ["Scenarios/one.yaml", "babbench", "my.yaml"])

    def test_what_cannot_be_sent_is_refused(self) -> None:
        """Each with its name."""
        for binary, extra, line in (
            (self.folder / "no", [], "no: no such file or folder"),
            (self.folder, [], "no babbench in this folder"),
            (Path(__file__), [], "not executable"),
            (FAKE_BENCH, ["gone.yaml"], "gone.yaml: no such file"),
            (FAKE_BENCH, ["/etc/hosts"], "/etc/hosts: --with takes paths inside"),
            (FAKE_BENCH, ["a/../../b"], "--with takes paths inside"),
        ):
            with self.subTest(line), self.assertRaisesRegex(Refusal, line):
                bench_files(binary, extra, self.folder)
