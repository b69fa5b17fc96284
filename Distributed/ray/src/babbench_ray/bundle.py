"""Folders as octet strings: the bench on its way to the nodes, and shards on their way back."""

import fcntl
import gzip
import hashlib
import io
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from babbench_ray.contract import Refusal


def scratch() -> Path:
    """The folder of this user on this node, below TMPDIR: unpacked benches, and shards that are being played."""
    folder = Path(tempfile.gettempdir()) / f"babbench-ray-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise Refusal(f"{folder}: this folder belongs to somebody else", 3)
    return folder


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """Holds a file for this process and those that inherit its descriptor. It waits in steps that a signal can end."""
    with path.open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.1)
        yield file.fileno()


def pack(files: Iterable[tuple[str, Path]]) -> bytes:
    """A tar archive, gzipped, of files under their names. Equal files give equal octets: no times, no owners."""
    octets = io.BytesIO()
    with tarfile.open(fileobj=octets, mode="w") as archive:
        for name, path in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = path.stat().st_size
            member.mode = 0o755 if os.access(path, os.X_OK) else 0o644
            with path.open("rb") as content:
                archive.addfile(member, content)
    return gzip.compress(octets.getvalue(), compresslevel=1, mtime=0)


def unpack(octets: bytes, folder: Path) -> None:
    """Writes an archive to a folder, which appears whole or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".partial", dir=folder.parent))
    try:
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(octets))) as archive:
            for member in archive:
                _write(member, archive, partial)
        partial.chmod(0o755)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write(member: tarfile.TarInfo, archive: tarfile.TarFile, folder: Path) -> None:
    """Writes what `pack` packs: a file with a name inside the folder."""
    name = PurePosixPath(member.name)
    content = archive.extractfile(member) if member.isreg() else None
    if content is None or name.is_absolute() or ".." in name.parts:
        raise Refusal(f"{member.name}: no archive of a shard has this", 3)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        shutil.copyfileobj(content, file)
    path.chmod(member.mode & 0o755)


def files_below(folder: Path, without: Iterable[str] = ()) -> Iterator[tuple[str, Path]]:
    """Every file of a folder under its relative name, except for what is directly in it under one of these names."""
    left_out = set(without)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] not in left_out:
            yield str(name), path


def bench_files(binary: Path, extra: Iterable[str], working: Path) -> list[tuple[str, Path]]:
    """What nodes get: the bench as `babbench`, or a whole folder that contains one, and files of the working folder.

    The folder `Scenarios` of the working folder is always among them, because the bench looks there.
    """
    if binary.is_dir():
        if not (binary / "babbench").is_file():
            raise Refusal(f"{binary}: there is no babbench in this folder")
        found = dict(files_below(binary))
    elif binary.is_file():
        found = {"babbench": binary}
    else:
        raise Refusal(f"{binary}: no such file or folder; --binary takes babbench, or a folder that contains it")
    if not os.access(found["babbench"], os.X_OK):
        raise Refusal(f"{found['babbench']}: this is not executable")
    for name in ["Scenarios", *extra] if (working / "Scenarios").is_dir() else extra:
        relative = Path(os.path.normpath(name))
        path = working / relative
        if relative.is_absolute() or ".." in relative.parts:
            raise Refusal(f"{name}: --with takes paths inside the working folder")
        if not path.exists():
            raise Refusal(f"{name}: no such file or folder in the working folder")
        if path.is_dir():
            found |= {str(relative / below): file for below, file in files_below(path)}
        else:
            found[str(relative)] = path
    return list(found.items())


def digest(octets: bytes) -> str:
    """The name of an archive's content: the first half of its SHA-256."""
    return hashlib.sha256(octets).hexdigest()[:32]


def installed(name: str, fetch: Callable[[], bytes]) -> Path:
    """The folder of an unpacked bench on this node. The first process that wants it fetches it, others wait."""
    folder = scratch() / f"bench-{name}"
    with locked(scratch() / f"bench-{name}.lock"):
        if not folder.is_dir():
            unpack(fetch(), folder)
    return folder
