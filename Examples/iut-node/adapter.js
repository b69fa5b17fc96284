'use strict';
// The pipe to the bench and its clock: the one file to copy (Docs/Formats/iut-protocol.md).
//
// An engine is an object with `handle(input)`. It says what it wants of the platform, and what it shows, with
// `platform.do(name, members)`, whenever it likes: while it handles an input, in a timer, after an `await`.
// setTimeout, setInterval, Date and Math.random are replaced before the engine is made: they go by the bench's clock
// and seed, so an engine that uses timers and promises does the same in every run.

const fs = require('node:fs');
const realSetImmediate = setImmediate;
const RealDate = Date;

const WALL_TIME = 1_700_000_000_000; // milliseconds at instant 0 (bab.md 8.11)

/** Timers in virtual time: each is an effect, and its expiry is an input. */
class VirtualClock {
  constructor(ask) {
    this.now = 0; // nanoseconds since the start of the run
    this.ask = ask;
    this.timers = new Map(); // number: what to call
    this.newest = 0;
  }

  set(callback, milliseconds, every, values) {
    const number = ++this.newest;
    const delay = Math.max(0, Math.round((Number(milliseconds) || 0) * 1_000_000));
    this.timers.set(number, { callback: () => callback(...values), every: every && Math.max(delay, 1) });
    this.ask('setTimer', { timer: number, at: this.now + delay });
    return number;
  }

  cancel(number) {
    if (this.timers.delete(Number(number))) this.ask('cancelTimer', { timer: Number(number) });
  }

  expire(number) {
    const timer = this.timers.get(number);
    if (!timer) return;
    if (timer.every) this.ask('setTimer', { timer: number, at: this.now + timer.every });
    else this.timers.delete(number);
    timer.callback();
  }

  get wallTime() {
    return WALL_TIME + Math.floor(this.now / 1_000_000);
  }

  install(seed) {
    const clock = this;
    globalThis.setTimeout = (callback, delay, ...values) => clock.set(callback, delay, false, values);
    globalThis.setInterval = (callback, delay, ...values) => clock.set(callback, delay, true, values);
    globalThis.setImmediate = (callback, ...values) => clock.set(callback, 0, false, values);
    globalThis.clearTimeout = globalThis.clearInterval = globalThis.clearImmediate = (number) => clock.cancel(number);
    globalThis.Date = class extends RealDate {
      constructor(...values) {
        super(...(values.length ? values : [clock.wallTime]));
      }
      static now() {
        return clock.wallTime;
      }
    };
    let state = Number(BigInt(seed) & 0xffffffffn);
    Math.random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 0x1_0000_0000;
    };
    // Standard output is the pipe; what an engine prints belongs to its log.
    console.log = console.info = console.debug = console.error;
  }
}

/** The lines of standard input, one by one; waits for each, as the bench does for the answer. */
function* lines() {
  const chunk = Buffer.alloc(1 << 16);
  let parts = [];
  for (;;) {
    let count = 0;
    try {
      count = fs.readSync(0, chunk);
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      if (error.code !== 'EOF') throw error;
    }
    if (count === 0) return;
    let rest = chunk.subarray(0, count);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString();
      parts = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length) parts.push(Buffer.from(rest));
  }
}

function write(line) {
  let rest = Buffer.from(line + '\n');
  while (rest.length) {
    try {
      rest = rest.subarray(fs.writeSync(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** Whatever the engine has begun and can go on with now, promises included, is done. */
const settled = () => new Promise((resolve) => realSetImmediate(resolve));

/**
 * Answers the bench until it closes standard input.
 *
 * @param greeting `{ implementation, ics }`, for the hello.
 * @param makeEngine `(hello, platform) => engine`; makes the engine of one launch of the app.
 */
async function serve(greeting, makeEngine) {
  let effects = []; // as JSON: what is asked for is fixed at once
  const ask = (name, members) => effects.push(JSON.stringify({ name, ...members }));
  const clock = new VirtualClock(ask);
  const platform = {
    do: ask,
    /** For `insert`: a place among the effects of this input. */
    mark: () => effects.length,
    insert: (mark, name, members) => effects.splice(mark, 0, JSON.stringify({ name, ...members })),
    /** Nanoseconds since the start of the run. */
    get now() {
      return clock.now;
    },
  };
  let engine;
  for (const line of lines()) {
    const input = JSON.parse(line);
    if (!engine) {
      clock.install(input.seed);
      engine = makeEngine(input, platform);
      write(JSON.stringify({ name: 'hello', protocol: 1, ...greeting }));
      continue;
    }
    clock.now = input.at;
    if (input.name === 'timer') clock.expire(input.timer);
    else engine.handle(input);
    await settled();
    const answer = `{"at":${input.at},"effects":[${effects.join()}]}`;
    effects = [];
    write(answer);
  }
}

module.exports = { serve, VirtualClock };
