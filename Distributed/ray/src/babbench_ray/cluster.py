"""Ray as what plays shards; the only module that imports it."""

import logging
import os
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray

import babbench_ray
from babbench_ray.contract import Refusal
from babbench_ray.driver import Died
from babbench_ray.play import Job, Played, play

_MOMENT = 0.25  # seconds
_BETWEEN_LOOKS = 5.0  # seconds
_PATIENCE = 15.0  # seconds that cancelled shards have to end by themselves
_STORE_OF_OWN_CLUSTER = 200_000_000  # octets


class RayCluster:
    """Shards as Ray tasks. Ray repeats none of them: the driver does, so that each death is counted and shown."""

    def __init__(self, job: Job, archive: bytes, processors: int) -> None:
        """Puts the bench into the object store, from where each node takes it once."""
        # Nodes need Ray, and not this package.
        ray.cloudpickle.register_pickle_by_value(babbench_ray)
        self._job = ray.put(job)
        self._archive = ray.put(archive)
        self._processors = processors
        self._looked = time.monotonic()
        self._lost = 0  # looks in a row that found no head node
        self._size = _size()
        self._task = ray.remote(num_cpus=processors, max_retries=0)(_play)

    def submit(self, number: int) -> Any:
        """Begins a shard on whichever node has room."""
        # A reference in a list is not resolved before the task begins; most tasks find the bench unpacked.
        return self._task.remote(self._job, number, [self._archive])

    def landed(self, flights: list[Any]) -> list[Any]:
        """Those that have ended, or that Ray knows to be lost."""
        self._look()
        if not flights:
            return []
        ready, _ = ray.wait(flights, num_returns=1, timeout=_MOMENT)
        if ready:
            ready, _ = ray.wait(flights, num_returns=len(flights), timeout=0)
        return list(ready)

    def result(self, flight: Any) -> Played:
        """Takes the folder of a shard out of the object store."""
        try:
            played: Played = ray.get(flight)
        except ray.exceptions.RayTaskError as error:
            raise Refusal(f"a node cannot play shards: {error.cause}", 3) from error
        except ray.exceptions.RayError as error:
            raise Died(_reason(error)) from error
        return played

    def cancel(self, flights: list[Any]) -> None:
        """Asks the shards to save their state and end, then ends their processes."""
        if self._lost:
            return  # There is nobody to ask; nodes without a head end their tasks.
        for force in (False, True):
            for flight in flights:
                ray.cancel(flight, force=force)
            if flights:
                _, flights = ray.wait(flights, num_returns=len(flights), timeout=_PATIENCE, fetch_local=False)

    def room(self) -> int:
        """Four shards for each place: none waits for the driver, and a cluster that can grow sees that it should."""
        return 16 + 4 * self._size // self._processors

    def _look(self) -> None:
        """Refuses to go on without the head node. Ray itself would end this process in its own way, a minute later."""
        if time.monotonic() - self._looked < _BETWEEN_LOOKS:
            return
        self._looked = time.monotonic()
        try:
            _check(ray.get_runtime_context().gcs_address)
            self._lost, self._size = 0, _size()
        except Refusal as refusal:
            self._lost += 1
            if self._lost == 2:
                raise Refusal(f"the head node of Ray is gone ({refusal}); --resume continues", 3) from refusal


def _play(job: Job, number: int, archive: list[Any]) -> Played:
    return play(job, number, lambda: bytes(ray.get(archive[0])))


def _reason(error: Exception) -> str:
    names = {
        "WorkerCrashedError": "its worker crashed",
        "NodeDiedError": "its node died",
        "OutOfMemoryError": "its node had no memory left",
        "LocalRayletDiedError": "its node died",
        "ObjectLostError": "its result was lost with a node",
        "ObjectFetchTimedOutError": "its result was lost with a node",
        "OwnerDiedError": "its result was lost with a node",
    }
    return names.get(type(error).__name__, type(error).__name__)


def _size() -> int:
    """The processors of the cluster. Ray waits for an answer, and without a head node there is none."""
    return int(ray.cluster_resources().get("CPU", 0))


def _check(address: str | None) -> None:
    """Refuses a cluster that does not answer; Ray itself would try for a quarter of an hour."""
    host, colon, port = (address or "").rpartition(":")
    if not colon:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except (OSError, ValueError, OverflowError) as error:
        raise Refusal(f"no Ray cluster at {address}: {error}", 3) from error


@contextmanager
def connected(address: str | None) -> Iterator[str]:
    """Joins a cluster, or begins one on this machine, and says what it has."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    address = address or os.environ.get("RAY_ADDRESS")
    options: dict[str, Any] = {"address": address}
    _check(address)
    if address is None:
        # Ray asks whoever connects for a token, and would leave one in the home folder.
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        options = {"address": "local", "include_dashboard": False, "object_store_memory": _STORE_OF_OWN_CLUSTER}
    try:
        ray.init(log_to_driver=False, logging_level=logging.CRITICAL, configure_logging=True, **options)
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise Refusal(f"no Ray cluster at {address}: {str(error).splitlines()[0]}", 3) from error
    try:
        nodes = [node for node in ray.nodes() if node["Alive"]]
        yield f"Ray {ray.__version__}, nodes: {len(nodes)}, CPUs: {_size()}"
    finally:
        ray.shutdown()
