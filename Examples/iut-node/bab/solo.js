'use strict';
// Solo mode: lines of the app and of the user in turn, no radio (bab.md 5.10).

const { Stats, achievements, mean, ranking, rows, words } = require('./points.js');

/** One solo session; while there is one, what the person does goes here. */
class Solo {
  stats = new Stats();
  history = [];

  constructor(app) {
    this.app = app;
    this.id = app.id;
    this.name = app.name;
    this.started = app.now;
    app.show('phase', { phase: 'ACTIVE' });
    this.goOn();
  }

  /** 5.10.2: a line of the app, committed at once, then one of the user. */
  goOn() {
    this.commit(this.makeLine(''), null);
    this.line = this.makeLine(this.id);
    this.words = words(this.line.textNative); // still to be said
    this.errors = 0;
    this.since = this.app.now;
    this.app.show('turn', { player: this.id });
    this.app.show('screen', { lineID: this.line.id, text: this.line.textNative });
  }

  makeLine(player) {
    const number = (this.app.soloLines += 1);
    const { script } = this.app;
    const entry = script.length
      ? script[this.history.length % script.length]
      : { native: `Frase ${number}`, translated: `Sentence ${number}` };
    return { id: `solo-${number}`, textNative: entry.native, assignedToPlayerId: player };
  }

  commit(line, result) {
    this.history.push({ ...line, pronunciationResult: result });
    this.app.do('committed', { index: this.history.length - 1, lineID: line.id, text: line.textNative });
  }

  /** 5.10.3 */
  user_speak({ text }) {
    for (const word of words(text)) {
      if (word === this.words[0]) this.words.shift();
      else this.errors += 1;
    }
    if (!this.words.length) this.read();
  }

  read() {
    const count = words(this.line.textNative).length;
    const accuracy = count ? Math.max(0, Math.floor((1_000 * (count - this.errors)) / count)) : 0;
    const duration = Math.floor((this.app.now - this.since) / 1_000_000);
    this.stats.complete(this.app.dialect.points, {
      accuracy, errors: this.errors, duration, isTogether: false, isFirst: this.stats.lines === 0,
    });
    this.commit(this.line, { skipped: false, accuracy: Math.fround(accuracy / 1_000), errorCount: this.errors });
    this.app.do('score', { player: this.id, xp: this.stats.xp });
    this.goOn();
  }

  /** 5.10.4 */
  user_skipLine() {
    this.stats.skip();
    this.commit(this.line, { skipped: true, accuracy: 0, errorCount: 0 });
    this.goOn();
  }

  /** 5.10.5 */
  user_endSolo({ save }) {
    const { app } = this;
    app.solo = null;
    app.show('turn', { player: null });
    if (save) {
      const own = this.history.filter((line) => line.assignedToPlayerId === this.id);
      app.do('summary', {
        lines: this.history.length, accuracyPermille: mean(this.stats.accuracy, this.stats.lines),
        durationMilliseconds: Math.floor((app.now - this.started) / 1_000_000), rows: rows(ranking([this])),
        achievements: achievements([this], this.id, own, new Map()).map(([name]) => name),
      });
    }
    app.show('phase', { phase: 'LOBBY' });
  }
}

module.exports = { Solo };
