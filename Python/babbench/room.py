"""A room: phones with apps, the radio between them, and its time."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
import os
import random
import subprocess
import tempfile
import time
from typing import Any, Callable, Coroutine, Dict, Iterable, List, Mapping, Optional, Tuple, TypeVar, Union

from . import _virtual
from ._loop import RoomLoop, current_launch, discard
from ._pipe import Pipe, executable
from . import oracles as _oracles
from .errors import BenchFailed, Refused, RoomError, TimeIsOver
from .gatt import _count
from .radio import Radio
from .records import Outcome, outcome
from .world import Fault, World, drawn

T = TypeVar("T")
Place = Union[Tuple[float, float], Tuple[float, float, float], List[float]]
Seconds = Union[int, float]


class Launch:
    """One launch of the app of a phone: what the system knows of a process."""

    def __init__(self, phone: "Phone", number: int, word: Mapping[str, Any]) -> None:
        self.phone = phone
        self.number = number
        room = phone.room
        self.loop = room.loop
        #: Random numbers of this launch.
        self.random = random.Random(f"{room.seed}/{phone.name}/{number}")
        self.clock_offset = phone.clock_offset
        #: What a protocol of the bench tells its apps, if the device speaks one.
        self.hello: Dict[str, Any] = dict(word.get("hello", {}))
        #: What the app kept before it was launched again.
        self.kept = bytes.fromhex(word.get("kept", ""))
        self.is_over = False
        self.is_suspended = False
        self.tasks: Dict["asyncio.Task[Any]", None] = {}
        self._held: List[Any] = []
        self.context = contextvars.copy_context()
        self.context.run(current_launch.set, self)
        self.radio = Radio(self)

    def ask(self, effect: Dict[str, Any]) -> None:
        """Asks the platform for something, in the words of Docs/Formats/app-seam.md."""
        if not self.is_over:
            self.phone.room._ask(self.phone.name, effect)

    @property
    def is_held(self) -> bool:
        return self.is_over or self.is_suspended

    def hold(self, handle: Any) -> None:
        if not self.is_over:
            self._held.append(handle)

    def resume(self) -> None:
        self.is_suspended = False
        held, self._held = self._held, []
        for handle in held:
            self.loop._ready.append(handle)

    def start(self, awaitable: Any) -> "asyncio.Task[Any]":
        """Runs a coroutine of the app; an exception in it ends the room."""
        if not asyncio.iscoroutine(awaitable):
            awaitable = _awaited(awaitable)
        task: "asyncio.Task[Any]" = self.context.copy().run(self.loop.create_task, awaitable)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not self.is_over:
            self.loop.app_failed(self, error)

    def end(self) -> None:
        """The process is gone: nothing of it runs any more."""
        self.is_over = True
        self._held.clear()
        for task in list(self.tasks):
            if not task.done():
                discard(task)
        self.tasks.clear()


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


class Device:
    """A device of a room."""

    def __init__(self, room: "Room", name: str) -> None:
        self.room = room
        self.name = name

    @property
    def address(self) -> str:
        """Its Bluetooth address; the room begins, if it has not."""
        self.room._begin()
        return self.room._addresses[self.name]

    def act(self, words: str) -> None:
        """Does something to it, or lets its person do something, now: in the words of steps of scenario files.

        `vanish`, `appear`, `radio off`, `kill`, `relaunch`, `move to: [3, 4]`, `join` …: Docs/Formats/scenario.md.
        """
        self.room._act(self.name, words)

    def vanish(self) -> None:
        """Nothing of it is sent or received any more, and nobody is told."""
        self.act("vanish")

    def appear(self) -> None:
        """It is back after `vanish`."""
        self.act("appear")

    def radio_off(self) -> None:
        """As if its person switched Bluetooth off."""
        self.act("radio off")

    def radio_on(self) -> None:
        self.act("radio on")

    def kill(self) -> None:
        """Its app is closed, and loses its state."""
        self.act("kill")

    def relaunch(self) -> None:
        """Its app is launched again."""
        self.act("relaunch")

    def background(self) -> None:
        """Its app goes to the background."""
        self.act("background")

    def foreground(self) -> None:
        self.act("foreground")

    def move_to(self, at: Place) -> None:
        """It is at another place, in metres."""
        self.act("move to: " + json.dumps(list(at)))

    def disconnect(self) -> None:
        """Its system ends all its links."""
        self.act("disconnect")

    def fail(self, of: str, code: Union[int, str], *, asked_by: str = "app", count: Optional[int] = None,
             every: Optional[int] = None) -> None:
        """What its app asks for fails, or what peers ask of it: `of` is connect, discovery, subscription, read, write
        or att mtu; `code` 1 … 255, or a name."""
        rule: Dict[str, Any] = {"of": of, "code": code, "asked by": asked_by}
        if count is not None:
            rule["count"] = count
        if every is not None:
            rule["every"] = every
        self.act("failure: " + json.dumps(rule))

    def end_failures(self) -> None:
        self.act("end failures")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class Phone(Device):
    """A device whose app is Python's."""

    def __init__(
        self, room: "Room", name: str, app: Any, clock_offset: float = 0.0, starts: float = 0.0
    ) -> None:
        super().__init__(room, name)
        #: When its app is launched, in seconds.
        self.starts = starts
        self.clock_offset = round(clock_offset * 1e9)
        #: Which system of bleak's its apps see.
        self.bleak = "bluez"
        self._app = app
        self._launch: Optional[Launch] = None
        self._launched: "Optional[asyncio.Future[None]]" = None
        #: What the newest launch made: the object of a class, or the result of a coroutine that has ended.
        self.app: Any = None
        #: The task of the newest launch, where the app is a coroutine.
        self.task: "Optional[asyncio.Task[Any]]" = None

    @property
    def launch(self) -> Launch:
        """The launch of its app that runs now."""
        self.room._begin()
        if self._launch is None:
            raise RoomError(f"{self.name}: its app is not launched; let time pass first, by room.run_for(…)")
        return self._launch

    @property
    def radio(self) -> Radio:
        """What its system does for the app that runs now."""
        return self.launch.radio

    def ask(self, name: str, **members: Any) -> None:
        """Asks the platform for something as its app, in the words of Docs/Formats/app-seam.md."""
        self.launch.ask({"name": name, **members})

    def run(self, what: Any, *arguments: Any) -> Any:
        """Lets a coroutine run as its app, and time pass until it is done; says what it came to.

        A function may be given as well, for apps that call `asyncio.run` and `time.sleep`: they are the room's in it.
        In a coroutine of the test, write “await phone.running(…)”.
        """
        if inspect.isawaitable(what):
            return self.room._drive(self.running(what))  # type: ignore[arg-type]
        if not callable(what):
            raise Refused(f"{what!r} does not run; give a coroutine, or a function")
        before = asyncio.run, time.sleep
        asyncio.run = lambda main, **options: self.run(main)
        time.sleep = lambda seconds: self.room.run_for(float(seconds))
        try:
            return what(*arguments)
        finally:
            asyncio.run, time.sleep = before

    async def running(self, awaitable: "Coroutine[Any, Any, T]") -> T:
        """As `run`, in a coroutine."""
        await self.ready()
        task: "asyncio.Task[T]" = self.launch.context.copy().run(self.room.loop.create_task, awaitable)
        return await task

    async def ready(self) -> Launch:
        """Waits until its app is launched."""
        self.room._begin()
        while self._launch is None:
            if self._launched is None:
                self._launched = self.room.loop.create_future()
            await asyncio.shield(self._launched)
        return self._launch

    # From the bench

    def _take(self, word: Dict[str, Any]) -> None:
        name = word["name"]
        if name == "launched":
            self._begin(word)
        elif name == "ended":
            if self._launch is not None and self._launch.number == word["launch"]:
                self._launch.end()
                self._launch = None
        elif name == "suspended":
            if self._launch is not None:
                self._launch.is_suspended = True
        elif name == "woken":
            if self._launch is not None:
                self._launch.resume()
        elif self._launch is not None:
            launch = self._launch
            self.room.loop.call_soon(self._deliver, launch, word, context=launch.context)

    def _deliver(self, launch: Launch, word: Dict[str, Any]) -> None:
        launch.radio.take(word)
        take = getattr(self.app, "input", None)
        if take is not None:
            result = take(word)
            if inspect.isawaitable(result):
                launch.start(result)

    def _begin(self, word: Dict[str, Any]) -> None:
        if self._launch is not None:
            self._launch.end()
        launch = self._launch = Launch(self, word["launch"], word)
        waiting, self._launched = self._launched, None
        if waiting is not None and not waiting.done():
            waiting.set_result(None)
        self.room.loop.call_soon(self._run, launch, word, context=launch.context)

    def _run(self, launch: Launch, word: Dict[str, Any]) -> None:
        make = self._app
        if make is None:
            return
        made = make(*(self,)[:_count(make, 1)]) if callable(make) else make
        if inspect.isawaitable(made):
            self.app = None
            self.task = launch.start(made)
            self.task.add_done_callback(self._keep_result)
            return
        self.app = made
        begin = getattr(made, "launched", None)
        if begin is not None:
            result = begin(*(launch,)[:_count(begin, 1)])
            if inspect.isawaitable(result):
                launch.start(result)
        take = getattr(made, "input", None)
        if take is not None:
            take(word)
        run = getattr(made, "run", None)
        if run is not None:
            self.task = launch.start(run())

    def _keep_result(self, task: "asyncio.Task[Any]") -> None:
        if task is self.task and not task.cancelled() and task.exception() is None:
            self.app = task.result()


class Player(Device):
    """A device on which an engine of the bench plays, or a program that the scenario names."""


class Room:
    """A room of virtual phones, in virtual time.

    ```python
    with babbench.Room(seed=7, radio="living-room") as room:
        lamp = room.phone("lamp", app=Lamp)
        computer = room.phone("computer", "linux", at=(3, 0), app=switch_it_on)
        room.until(lambda: lamp.app.is_on, within=10)
    ```

    The same seed and the same code give the same digest. One room runs at a time in a thread.
    """

    def __init__(
        self, scenario: Union[str, "os.PathLike[str]", None] = None, *, seed: int = 1,
        radio: Union[str, Mapping[str, Any]] = "ideal", set: Iterable[str] = (), text: Optional[str] = None,
        reports: Iterable[str] = (), records: bool = False, figures: bool = False, out: Optional[str] = None,
        time_limit: Seconds = 3600, patience: Seconds = 10, world: Optional[World] = None
    ) -> None:
        """
        Args:
            scenario: a scenario file, or the name of a shipped one; None: the room is made by calls.
            seed: of all that is drawn: losses, clocks, the apps' random numbers.
            radio: a preset, or a mapping of Docs/Formats/scenario.md#radio.
            set: as `babbench run --set` takes them, for example `radio=subway`; for scenarios.
            text: the text of a scenario, in place of a file.
            reports: names of reports that apps of a protocol of the bench make whenever there is reason to.
            records: keep all records of the trace for the outcome.
            figures: keep measures for the outcome.
            out: a folder for captures, the timeline and the trace.
            time_limit: of simulated time, in seconds.
            patience: how long, by the wall clock, an app may compute without a turn of the event loop, in seconds.
            world: in place of `seed`, `radio` and what is asked of `faults` and `bystanders`.
        """
        if world is not None:
            seed, radio = world.seed, world.radio
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            raise Refused(f"{seed!r} is no seed; write a whole number from 0 on")
        self.seed = seed
        self.radio = radio
        self._world = world
        self._faults: Tuple[Fault, ...] = world.faults if world is not None else ()
        self._bystanders = 0
        self._oracles: List[Callable[[], Any]] = []
        #: How the room ended; None: it has not.
        self.outcome: Optional[Outcome] = None
        #: What the devices are called, in order, once the room has begun.
        self.names: List[str] = []
        self._scenario = None if scenario is None else os.fspath(scenario)
        self._text = text
        self._set = list(set)
        self._reports = list(reports)
        self._records, self._figures, self._out = records, figures, out
        self._devices: Dict[str, Dict[str, Any]] = {}
        self._expect: List[Any] = []
        self._phones: Dict[str, Phone] = {}
        self._addresses: Dict[str, str] = {}
        self._order: Dict[str, int] = {}
        self._pipe: Optional[Pipe] = None
        self._lines: List[bytes] = []
        self._effects: List[Dict[str, Any]] = []
        self._waits: List[Tuple[Union[str, Callable[[], Any]], "asyncio.Future[None]"]] = []
        #: How the scenario ended; None: it has not, or there is none.
        self.over: Optional[str] = None
        self._over_waits: List["asyncio.Future[None]"] = []
        self.loop = RoomLoop(self._advance, seed, round(time_limit * 1e9), float(patience))
        self.loop.set_task_factory(_make_task)
        self.loop.room = self
        _virtual.install(RoomLoop)
        _virtual.scan()

    # Who is there

    def phone(
        self, name: str, phone: Union[str, Mapping[str, Any]] = "iphone", *, at: Place = (0, 0), app: Any = None,
        starts: Seconds = 0, address: Optional[str] = None, protocol: Optional[str] = None,
        role: Optional[str] = None, clock_offset: Seconds = 0, bleak: str = "bluez", **more: Any
    ) -> Phone:
        """Adds a phone whose app is Python's; before the room begins.

        Args:
            name: up to 32 of a-z, 0-9 and “-”.
            phone: ideal, iphone, android, android-7 or linux, or a mapping of Docs/Formats/scenario.md#devices.
            at: its place, in metres.
            app: a coroutine function, a class such as a `Peripheral`, or None: the test's own coroutine is its app.
            starts: when its app is launched, in seconds.
            protocol, role: of a protocol of the bench that the app speaks in the words of the app seam.
            clock_offset: how far its clock of the day is ahead of the others', in seconds.
            bleak: whose names, addresses and errors bleak has on it: bluez, core_bluetooth or winrt.
            more: other keys of devices, with “_” for a space.
        """
        self._refuse_late(name)
        keys: Dict[str, Any] = {"phone": phone, "at": _place(at)}
        keys["protocol"] = protocol or "none"
        if role is not None:
            keys["role"] = role
        if starts:
            keys["starts"] = _duration(starts)
        if address is not None:
            keys["address"] = address
        keys.update((key.replace("_", " "), value) for key, value in more.items())
        self._devices[name] = keys
        made = self._phones[name] = Phone(self, name, app, float(clock_offset), float(starts))
        made.bleak = bleak
        return made

    def player(
        self, name: str, *, role: Optional[str] = None, engine: str = "reference", protocol: Optional[str] = None,
        phone: Union[str, Mapping[str, Any]] = "iphone", at: Place = (0, 0), **more: Any
    ) -> Player:
        """Adds a device on which an engine of the bench plays; before the room begins."""
        self._refuse_late(name)
        keys: Dict[str, Any] = {"phone": phone, "at": _place(at), "engine": engine}
        if protocol is not None:
            keys["protocol"] = protocol
        if role is not None:
            keys["role"] = role
        keys.update((key.replace("_", " "), value) for key, value in more.items())
        self._devices[name] = keys
        return Player(self, name)

    def beacon(
        self, name: str, *, at: Place = (0, 0), data: bytes = b"", scan_response: bytes = b"",
        phone: Union[str, Mapping[str, Any]] = "ideal"
    ) -> Phone:
        """Adds a device that advertises these octets as they are, and does nothing else."""
        class Beacon:
            def input(self, word: Dict[str, Any]) -> None:
                if word["name"] == "launched" or (word["name"] == "radioPower" and word["on"]):
                    made.ask("gap.advertise", data=bytes(data).hex(), scanResponse=bytes(scan_response).hex())

        made = self.phone(name, phone, at=at, app=Beacon)
        return made

    def bystanders(self, count: int) -> None:
        """Adds devices that advertise all the time, and have nothing to do with the test; before the room begins.

        Their places, within 10 m, and what they say are drawn from the seed.
        """
        if self._world is not None:
            # Those of the world, however often a test asks.
            count = self._world.bystanders - self._bystanders
        if not isinstance(count, int) or count < 0:
            raise Refused(f"{count!r} bystanders; write a whole number from 0 on")
        for number in range(self._bystanders + 1, self._bystanders + count + 1):
            dice = random.Random(f"{self.seed}/bystander/{number}")
            # Flags, and 20 octets of a company that gives none away (0xFFFF).
            data = bytes([2, 1, 6, 23, 0xFF, 0xFF, 0xFF, *(dice.randrange(256) for _ in range(20))])
            self.beacon(f"bystander-{number}", at=(dice.uniform(-10, 10), dice.uniform(-10, 10)), data=data)
        self._bystanders += count

    def faults(
        self, of: Iterable[Union[Device, str]], *, within: Seconds = 60, at_most: int = 3,
        kinds: Iterable[str] = ("vanish", "radio off", "kill"), lasts: Tuple[Seconds, Seconds] = (1, 20)
    ) -> Tuple[Fault, ...]:
        """Draws faults from the seed, and lets them happen: which of the devices, when, what, and for how long.

        A failure of a test is made smaller by leaving them out one by one; what a test does to devices by itself stays.

        Args:
            of: phones, or names of devices.
            within: at the latest after so many seconds.
            at_most: how many the seed may draw.
            kinds: vanish, radio off, kill, background, disconnect; all but the last end by themselves.
            lasts: how long, from … to, in seconds.
        """
        if self._world is not None:
            return self._faults
        names = [one if isinstance(one, str) else one.name for one in of]
        shortest, longest = lasts
        self._faults += drawn(
            self.seed, names, within=float(within), at_most=at_most, kinds=kinds,
            lasts=(float(shortest), float(longest)))
        return self._faults

    @property
    def world(self) -> World:
        """Seed, radio, faults and bystanders as a value."""
        return World(self.seed, self.radio, self._faults, self._bystanders)

    def oracle(self, oracle: Callable[[], Any]) -> Callable[[], Any]:
        """Lets an oracle read the records of the room when it is over; before the room begins. Decorates a generator:

        ```python
        @room.oracle
        def a_value_is_sent_once():
            # No value is sent twice.
            seen = {}
            while (record := (yield)) is not None:          # None: the room is over
                if record.kind == "effect" and record.name == "gatt.notify":
                    if record["value"] in seen:
                        raise babbench.Found("sent twice", seen[record["value"]], record)
                    seen[record["value"]] = record
        ```
        """
        self._refuse_late(getattr(oracle, "__name__", "an oracle"))
        self._oracles.append(_oracles.checked(oracle))
        self._records = True
        return oracle

    def app(self, name: str, app: Any) -> Phone:
        """Puts an app of Python's on a device of the scenario; before the room begins."""
        self._refuse_late(name)
        made = self._phones[name] = Phone(self, name, app)
        return made

    def device(self, name: str) -> Device:
        """The device of that name."""
        return self._phones.get(name) or Player(self, name)

    def expect(self, that: Union[str, Mapping[str, Any]], *, within: Optional[Seconds] = None) -> None:
        """Expects what a condition of scenario files says: at the end, or within a time; before the room begins."""
        self._refuse_late(str(that))
        if not isinstance(that, (str, Mapping)):
            raise Refused(f"{that!r} is no expectation; write words of scenario files")
        if isinstance(that, str) and within is not None:
            self._expect.append({"that": that, "within": _duration(within)})
        else:
            self._expect.append(that if isinstance(that, str) else dict(that))

    def _refuse_late(self, name: str) -> None:
        if not isinstance(name, str):
            raise Refused(f"{name!r} is no name; write a text")
        if self._pipe is not None or self.outcome is not None:
            raise Refused(f"{name}: the room has begun; devices, apps and expectations come before")
        if name in self._devices:
            raise Refused(f"{name}: there is one already")

    # Time

    @property
    def now(self) -> float:
        """Where the room's clock is, in seconds."""
        return self.loop.time()

    async def sleep(self, seconds: Seconds) -> None:
        """Lets time pass, in a coroutine."""
        await asyncio.sleep(_seconds(seconds))

    def run(self, awaitable: "Coroutine[Any, Any, T]") -> T:
        """Runs a coroutine of the test, and says what it came to."""
        if not inspect.isawaitable(awaitable):
            raise Refused(f"{awaitable!r} is no coroutine; write room.run(main())")
        return self._drive(awaitable)

    def run_for(self, seconds: Seconds) -> Any:
        """Lets time pass. In a coroutine, it is to be awaited."""
        return self._both(asyncio.sleep(_seconds(seconds)))

    def until(self, condition: Union[str, Callable[[], Any]], within: Seconds = 60) -> Any:
        """Lets time pass until a condition holds. In a coroutine, it is to be awaited.

        Args:
            condition: a function of the test, or words of scenario files, such as `all clients in lobby`.
            within: seconds; then it raises TimeIsOver.
        """
        return self._both(self._until(condition, within))

    def holds(self, words: str) -> Optional[bool]:
        """Whether a condition of scenario files holds now; None: it is unknown."""
        self._begin()
        answer: Optional[bool] = self._exchange(
            {"name": "ask", "that": words, "effects": self._take_effects()})["holds"]
        return answer

    def at(self, seconds: Seconds, function: Callable[..., Any], *arguments: Any) -> None:
        """Calls something at an instant of the room."""
        if not callable(function):
            raise Refused(f"{function!r} is no function; write room.at(3, phone.vanish)")
        self.loop.call_at(_seconds(seconds), function, *arguments)

    def play(self) -> Outcome:
        """Lets the scenario come to its end, ends the room, and says what it came to."""
        async def wait() -> None:
            if self.over is None:
                future = self.loop.create_future()
                self._over_waits.append(future)
                await future

        if self._scenario is None and self._text is None and not self._expect:
            raise Refused("the room has no scenario and expects nothing, so it has no end; write room.run_for(…)")
        self._drive(wait())
        return self.finish()

    def _both(self, coroutine: "Coroutine[Any, Any, T]") -> Any:
        if asyncio._get_running_loop() is self.loop:
            return coroutine
        return self._drive(coroutine)

    async def _until(self, condition: Union[str, Callable[[], Any]], within: Seconds) -> None:
        if not isinstance(condition, str) and not callable(condition):
            raise Refused(f"{condition!r} is no condition; write a function, or words of scenario files")
        future: "asyncio.Future[None]" = self.loop.create_future()
        wait = (condition, future)
        self._waits.append(wait)
        try:
            await asyncio.wait_for(future, within)
        except asyncio.TimeoutError:
            # Between two events nobody asks; what time alone has made true is true.
            if not isinstance(condition, str) and condition():
                return
            raise TimeIsOver(
                f"at {self.now:.9f} s: it did not come true within {within:g} s: {_shown(condition)}") from None
        finally:
            if wait in self._waits:
                self._waits.remove(wait)

    # The end

    def finish(self) -> Outcome:
        """Ends the room, and says what it came to. Steps of a scenario that were not done count as failed."""
        if self.outcome is not None:
            return self.outcome
        self._begin()
        self._flush()
        answer = self._exchange({"name": "finish"})
        self.outcome = outcome(answer, self.names)
        if self._oracles:
            self.outcome = _oracles.judged(self.outcome, self._oracles)
        self._let_go(True)
        return self.outcome

    def close(self) -> None:
        """Ends the room without a verdict; nothing happens in it any more."""
        if not self.loop.is_closed():
            self._let_go(False)

    def _let_go(self, is_whole: bool) -> None:
        for phone in self._phones.values():
            if phone._launch is not None:
                phone._launch.end()
        if self._pipe is not None:
            if is_whole:
                self._pipe.give_back()
            else:
                try:
                    self._pipe.exchange(_FINISH)
                    self._pipe.give_back()
                except (RoomError, OSError, ValueError):
                    self._pipe.end()
            self._pipe = None
        if not self.loop.is_running() and not self.loop.is_closed():
            for task in list(_tasks_of(self.loop)):
                if not task.done():
                    discard(task)
            self.loop._ready.clear()
            self.loop._scheduled.clear()  # type: ignore[attr-defined]
            self.loop.close()

    def __enter__(self) -> "Room":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None and self.outcome is None and self.loop.failure is None:
            self.finish()
        else:
            self.close()

    @property
    def digest(self) -> str:
        """Of everything that happened; the room ends."""
        return self.finish().digest

    @property
    def lines(self) -> List[str]:
        """What was said to `babbench room` so far: the whole room, to be played again."""
        return [line.decode().rstrip("\n") for line in self._lines]

    def keep(self, folder: Union[str, "os.PathLike[str]"]) -> Outcome:
        """Plays the room again from its lines, and leaves captures, timeline, trace and results in a folder."""
        if not self._lines:
            raise Refused("nothing has happened in the room; there is nothing to keep")
        path = os.path.abspath(os.fspath(folder))
        first = json.loads(self._lines[0])
        first["out"] = path
        pipe = Pipe.take()
        try:
            pipe.exchange(json.dumps(first).encode() + b"\n")
            rest = [line for line in self._lines[1:] if line != _FINISH]
            for line in rest:
                try:
                    pipe.exchange(line)
                except Refused:
                    # It was refused before, too.
                    pass
            kept = outcome(pipe.exchange(_FINISH), self.names)
        except (BenchFailed, OSError):
            pipe.end()
            raise
        pipe.give_back()
        if self.outcome is not None and self.outcome.digest != kept.digest:
            raise BenchFailed(f"the room played again has another digest: {kept.digest} and {self.outcome.digest}")
        return kept

    def why(self) -> str:
        """Plays the room again from its lines, and says what came first: what `babbench why` prints of it."""
        with tempfile.TemporaryDirectory(prefix="babbench-why-") as folder:
            path = os.path.join(folder, "room.jsonl")
            with open(path, "wb") as file:
                file.writelines([*(line for line in self._lines if line != _FINISH), _FINISH])
            said = subprocess.run([executable(), "why", path], capture_output=True, text=True, timeout=600)
        if said.returncode in (3, 64):
            raise BenchFailed(said.stderr.strip() or said.stdout.strip())
        return said.stdout.rpartition("\nverdict ")[0].strip()

    # The pipe

    def _begin(self) -> bool:
        """Opens the room, and launches the apps that start with it; True: just now."""
        if self._pipe is not None or self.outcome is not None:
            return False
        if self.loop.is_closed():
            raise Refused("the room is over; nothing happens in it any more")
        if self._world is not None:
            if self._scenario is not None or self._text is not None:
                raise Refused("the room has a scenario, which says its radio and its faults; a world says the same")
            self.bystanders(0)
        line: Dict[str, Any] = {"name": "room", "seed": str(self.seed), "apps": list(self._phones)}
        if self._scenario is not None or self._text is not None:
            if self._devices or self._expect:
                raise Refused(
                    "the room has a scenario; its devices and expectations are in the file: write room.app(name, app)")
            line.update({"scenario": self._scenario} if self._text is None else {"text": self._text})
        else:
            if not self._devices:
                raise Refused("nobody is in the room; write room.phone(…)")
            document: Dict[str, Any] = {"name": "room", "radio": self.radio, "devices": self._devices}
            if self._expect:
                document["expect"] = self._expect
            line["text"] = json.dumps(document)
        if self._set:
            line["set"] = self._set
        if self._reports:
            line["reports"] = self._reports
        if self._out is not None:
            line["out"] = os.path.abspath(self._out)
        for key, value in (("records", self._records), ("figures", self._figures)):
            if value:
                line[key] = value
        pipe = self._pipe = Pipe.take()
        try:
            answer = self._exchange(line)
        except Refused:
            self._pipe = None
            self._lines.clear()
            pipe.give_back()
            raise
        self.seed = int(answer["seed"])
        self.names = [device["name"] for device in answer["devices"]]
        self._order = {name: place for place, name in enumerate(self.names)}
        for fault in self._faults:
            if fault.device not in self._order:
                raise Refused(f"a fault of {fault.device}: there is no such device")
            for at, words in fault.steps:
                self.loop.call_at(at, self._befall, fault.device, words, context=contextvars.Context())
        self._addresses = {device["name"]: device["address"] for device in answer["devices"]}
        for _ in range(2 * len(self.names)):
            if all(phone._launch is not None for phone in self._phones.values() if not phone.starts):
                break
            self._state(self._exchange({"name": "advance", "to": 0}))
        return True

    def _exchange(self, line: Dict[str, Any]) -> Dict[str, Any]:
        if self._pipe is None:
            raise Refused("the room is over; nothing happens in it any more")
        octets = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        self._lines.append(octets)
        try:
            return self._pipe.exchange(octets)
        except BenchFailed:
            self._pipe.end()
            self._pipe = None
            raise

    def _ask(self, device: str, effect: Dict[str, Any]) -> None:
        effect["device"] = device
        self._effects.append(effect)

    def _take_effects(self) -> List[Dict[str, Any]]:
        effects, self._effects = self._effects, []
        if len(effects) > 1:
            # Which phone has its turn first at one instant differs from one version of asyncio to another.
            effects.sort(key=lambda effect: self._order[effect["device"]])
        return effects

    def _flush(self) -> None:
        """What was asked for goes out before the end."""
        if self._effects:
            self._state(self._exchange(
                {"name": "advance", "to": self.loop.nanoseconds, "effects": self._take_effects()}))

    def _advance(self, to: int) -> None:
        """Lets time pass, at most until an instant; the loop asks for it when nobody has anything more to say."""
        # What was launched runs before anybody asks what it came to.
        if self._begin() or self._met():
            return
        line: Dict[str, Any] = {"name": "advance", "to": to}
        if self._effects:
            line["effects"] = self._take_effects()
        words = [condition for condition, _ in self._waits if isinstance(condition, str)]
        if len(words) > 1:
            raise Refused("two conditions in words are waited for at the same time; wait for one after the other")
        if words:
            line["until"] = words[0]
        answer = self._exchange(line)
        self._state(answer)
        if answer.get("met"):
            for condition, future in self._waits:
                if isinstance(condition, str) and not future.done():
                    future.set_result(None)

    def _met(self) -> bool:
        is_met = False
        for condition, future in list(self._waits):
            if isinstance(condition, str) or future.done():
                continue
            try:
                holds = condition()
            except Exception as error:
                future.set_exception(error)
                is_met = True
                continue
            if holds:
                future.set_result(None)
                is_met = True
        return is_met

    def _state(self, answer: Dict[str, Any]) -> None:
        self.loop.nanoseconds = answer["at"]
        for word in answer["inputs"]:
            # As the app seam has it: with the instant, and for one device.
            word["at"] = answer["at"]
            self._phones[word.pop("device")]._take(word)
        if "over" in answer and self.over is None:
            self.over = answer["over"]
            for future in self._over_waits:
                if not future.done():
                    future.set_result(None)
            if self.over == "eventLimit":
                raise RoomError(f"at {self.now:.9f} s: the room came to its limit of events: something never rests")
        if "breakdown" in answer:
            raise RoomError(f"at {self.now:.9f} s: {answer['breakdown']}")

    def _act(self, device: str, words: str) -> None:
        self._begin()
        self._state(self._exchange(
            {"name": "act", "device": device, "words": words, "effects": self._take_effects()}))

    def _befall(self, device: str, words: str) -> None:
        if self._pipe is not None:
            self._act(device, words)

    def _drive(self, coroutine: "Coroutine[Any, Any, T]") -> T:
        if self.outcome is not None or self.loop.is_closed():
            coroutine.close()
            raise Refused("the room is over; nothing happens in it any more")
        result: T = self.loop.drive(coroutine)
        return result

    def launch_here(self) -> Launch:
        """The launch whose code asks; in the test's own code, that of the only phone without an app."""
        launch = current_launch.get()
        if launch is not None:
            return launch  # type: ignore[no-any-return]
        free = [phone for phone in self._phones.values() if phone._app is None]
        if len(free) != 1:
            raise RoomError(
                "whose radio is meant? Give the coroutine to a phone, by room.phone(…, app=…) or phone.run(…), "
                "or have exactly one phone without an app")
        self._begin()
        return free[0].launch


_FINISH = b'{"name":"finish"}\n'


def _make_task(loop: Any, coroutine: Any, **options: Any) -> "asyncio.Task[Any]":
    task = asyncio.Task(coroutine, loop=loop, **options)
    context = options.get("context")
    launch = context.get(current_launch) if context is not None else current_launch.get()
    tasks = launch.tasks if launch is not None else _tasks_of(loop)
    if len(tasks) > 64:
        for old in [old for old in tasks if old.done()]:
            del tasks[old]
    tasks[task] = None
    return task


def _tasks_of(loop: Any) -> Dict["asyncio.Task[Any]", None]:
    """Tasks of the test itself."""
    tasks: Optional[Dict["asyncio.Task[Any]", None]] = getattr(loop, "room_tasks", None)
    if tasks is None:
        tasks = loop.room_tasks = {}
    return tasks


def _seconds(seconds: Any) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds >= 0:
        raise Refused(f"{seconds!r} is no time; write seconds from 0 on")
    return float(seconds)


def _duration(seconds: Seconds) -> str:
    return f"{seconds:.9f}".rstrip("0").rstrip(".") + "s"


def _place(at: Place) -> List[Any]:
    return [float(f"{value:.2f}") if isinstance(value, float) else value for value in at]


def _shown(condition: Union[str, Callable[[], Any]]) -> str:
    if isinstance(condition, str):
        return condition
    try:
        source = inspect.getsource(condition).strip()
        return source.split("\n")[0][:200]
    except (OSError, TypeError):
        return getattr(condition, "__qualname__", repr(condition))


__all__ = ["Room", "Phone", "Player", "Device", "Launch"]
