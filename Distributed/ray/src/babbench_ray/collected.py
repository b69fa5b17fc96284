"""The shards that have arrived: a folder beside the result, from which an interrupted run continues."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from babbench_ray.bundle import unpack
from babbench_ray.contract import Campaign, Refusal


class Collected:
    """The folder `OUT.shards`. Each shard is a folder with its number as name, whole or not there."""

    def __init__(self, out: Path, campaign: Campaign, bench: str, resume: bool) -> None:
        """Begins a folder, or continues one of the same campaign and bench."""
        self.folder = out.with_name(out.name + ".shards")
        self._shards = campaign.shards
        about = {"command": list(campaign.command), "shards": campaign.shards, "bench": bench}
        record = self.folder / "campaign.json"
        if record.exists():
            if not resume:
                raise Refusal(f"{self.folder}: shards of an earlier run; continue with --resume, or remove it")
            earlier = json.loads(record.read_text())
            for key, value in about.items():
                if earlier.get(key) != value:
                    raise Refusal(f"{self.folder}: shards of another campaign, whose {key} is {earlier.get(key)}")
        elif self.folder.exists():
            raise Refusal(f"{self.folder}: this is in the way, and not written by babbench-ray")
        else:
            self.folder.mkdir(parents=True)
            record.write_text(json.dumps(about) + "\n")

    def missing(self) -> list[int]:
        """The numbers of the shards that have not arrived."""
        return [number for number in range(1, self._shards + 1) if not self.path(number).is_dir()]

    def path(self, number: int) -> Path:
        """The place of a shard."""
        return self.folder / str(number)

    def paths(self) -> Sequence[Path]:
        """All shards, in their order."""
        return [self.path(number) for number in range(1, self._shards + 1)]

    def add(self, number: int, octets: bytes) -> None:
        """Keeps a shard."""
        unpack(octets, self.path(number))

    def remove_if_empty(self) -> None:
        """Removes the folder of a run that collected nothing, so that it is not in the way of the next one."""
        if len(self.missing()) == self._shards:
            self.remove()

    def remove(self) -> None:
        """Removes the folder, once the shards are merged."""
        shutil.rmtree(self.folder)
