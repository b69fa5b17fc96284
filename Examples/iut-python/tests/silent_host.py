"""A library host that never answers a HANDSHAKE: the bench must fail it (Examples/check)."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bab.library import LibraryHost  # noqa: E402
from bab.loop import serve  # noqa: E402


class SilentHost(LibraryHost):
    def tell(self, link, kind, payload):
        if kind != "HANDSHAKE":
            super().tell(link, kind, payload)


serve(SilentHost, "iut-python 1, silent", ["roles", "screen"])
