'use strict';
// What an engine in the adapter sees of time: node --test test/clock.js
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { test } = require('node:test');

const HELLO = {
  name: 'hello', protocol: 1, role: 'host', dialect: 'sdk', peerID: 'peer-iut', displayName: 'iut', seed: '7',
  game: { totalLines: 0, heartbeatMilliseconds: 0, script: [], scenarios: [], earlierSessions: [] },
};

/** The answers of an engine, given as the text of a function of `(hello, platform)`, to some inputs. */
function answers(engine, inputs) {
  const adapter = JSON.stringify(join(__dirname, '../adapter.js'));
  const program = `require(${adapter}).serve({ implementation: 'test', ics: ['roles'] }, ${engine});`;
  const lines = [HELLO, ...inputs].map((line) => JSON.stringify(line) + '\n');
  const run = spawnSync(process.execPath, ['-e', program], { input: lines.join(''), encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const [hello, ...rest] = run.stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(hello, { name: 'hello', protocol: 1, implementation: 'test', ics: ['roles'] });
  return { answers: rest, log: run.stderr };
}

test('an engine of promises and timers is deterministic: sleeping is an effect, waking an input', () => {
  const engine = `(hello, platform) => ({
    async handle(input) {
      platform.do('phase', { phase: 'LOBBY' });
      await new Promise((resolve) => setTimeout(resolve, 1.5));
      platform.do('roster', { players: [String(Date.now()), new Date().toISOString()] });
    },
  })`;
  const run = answers(engine, [
    { at: 20_000_000, name: 'launched' }, { at: 21_500_000, name: 'timer', timer: 1 },
  ]);
  assert.deepEqual(run.answers, [
    { at: 20_000_000, effects: [{ name: 'phase', phase: 'LOBBY' }, { name: 'setTimer', timer: 1, at: 21_500_000 }] },
    { at: 21_500_000, effects: [{ name: 'roster', players: ['1700000000021', '2023-11-14T22:13:20.021Z'] }] },
  ]);
});

test('a timer that is cancelled does not come back, an interval does', () => {
  const engine = `(hello, platform) => ({
    handle() {
      clearTimeout(setTimeout(() => platform.do('phase', { phase: 'never' }), 1));
      setInterval(() => platform.do('phase', { phase: 'tick' }), 1_000);
    },
  })`;
  const run = answers(engine, [
    { at: 0, name: 'launched' }, { at: 1_000_000, name: 'timer', timer: 1 },
    { at: 1_000_000_000, name: 'timer', timer: 2 },
  ]);
  assert.deepEqual(run.answers.map(({ effects }) => effects.map((effect) => Object.values(effect).join(' '))), [
    ['setTimer 1 1000000', 'cancelTimer 1', 'setTimer 2 1000000000'], [],
    ['setTimer 2 2000000000', 'phase tick'],
  ]);
});

test('what is drawn comes from the seed, and what is printed goes to the log', () => {
  const engine = `(hello, platform) => ({
    handle() {
      console.log('here I am');
      platform.do('phase', { phase: String(Math.random()) });
    },
  })`;
  const runs = [1, 2].map(() => answers(engine, [{ at: 0, name: 'launched' }]));
  assert.deepEqual(runs[0], runs[1]);
  assert.equal(runs[0].log, 'here I am\n');
});
