'use strict';
// Points, ranking, achievements (bab.md 6 and 9). Accuracies are whole thousandths.

/** A 32-bit number in thousandths, rounded half up. */
const permille = (accuracy) => Math.trunc(accuracy * 1_000 + 0.5);

/** 6.6: rounded half up, 0 without any. */
const mean = (total, count) => (count ? Math.floor((2 * total + count) / (2 * count)) : 0);

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Words in lower case, split at spaces (6.11). */
const words = (text) => text.toLowerCase().split(/\s+/).filter((word) => word);

/** What one player has done in a game. */
class Stats {
  lines = 0;
  errors = 0;
  perfect = 0;
  accuracy = 0; // sum
  duration = 0; // sum, milliseconds
  streak = 0;
  run = 0; // perfect lines in a row
  longestRun = 0;
  xp = 0;

  /** 6.4 */
  skip() {
    this.streak = 0;
    this.run = 0;
  }

  /** 6.1, 6.2, 6.3: takes a completed line in. */
  complete(dialect, { accuracy, errors, duration, isTogether, isFirst }) {
    const grows = accuracy >= 900;
    let points = 10;
    if (dialect === 'sdk') {
      points += Math.floor((accuracy * 10) / 1_000) + Math.min(2 * this.streak, 20);
    } else {
      points += Math.floor((accuracy * 20) / 1_000) + (grows && this.streak > 0 ? 5 : 0) + (isFirst ? 25 : 0);
    }
    this.xp += points + (isTogether ? 5 : 0);
    this.streak = grows ? this.streak + 1 : 0;
    this.run = accuracy === 1_000 ? this.run + 1 : 0;
    this.longestRun = Math.max(this.longestRun, this.run);
    this.lines += 1;
    this.errors += errors;
    this.perfect += accuracy === 1_000 ? 1 : 0;
    this.accuracy += accuracy;
    this.duration += duration;
  }

  /** 6.9 */
  get highlight() {
    if (this.streak >= 5) return `On fire! ${this.streak} streak`;
    return this.perfect ? `${this.perfect} perfect` : null;
  }

  packed(playerId) {
    return {
      playerId, linesCompleted: this.lines, totalErrors: this.errors, perfectLines: this.perfect,
      averageAccuracy: mean(this.accuracy, this.lines) / 1_000, currentStreak: this.streak, xpEarned: this.xp,
    };
  }
}

/** 6.7: all players by points, ties in roster order. */
const ranking = (players) =>
  [...players].sort((one, other) => other.stats.xp - one.stats.xp).map((player, index) => ({
    rank: index + 1, playerId: player.id, displayName: player.name, score: player.stats.xp,
    highlight: player.stats.highlight,
  }));

/** A ranking as reports write it. */
const rows = (rankings) =>
  rankings.map(({ rank, playerId, score, highlight }) => ({ rank, player: playerId, score, highlight }));

/** 9.1: the mean accuracy of all completed lines of these players. */
const overall = (players) =>
  mean(sum(players.map((player) => player.stats.accuracy)), sum(players.map((player) => player.stats.lines)));

/** 6.11: the result of reading a line aloud: words place by place, in lower case. */
function compared(line, spoken, countsExtra) {
  const [expected, heard] = [words(line), words(spoken)];
  const wordErrors = [];
  for (let position = 0; position < Math.max(expected.length, countsExtra ? heard.length : 0); position += 1) {
    const [one, other] = [expected[position] ?? null, heard[position] ?? null];
    if (one !== other) wordErrors.push({ word: one ?? other, position, expected: one, heard: other });
  }
  const right = Math.max(0, expected.length - wordErrors.length);
  const accuracy = expected.length ? Math.floor((1_000 * right) / expected.length) : 0;
  return {
    errorCount: wordErrors.length, accuracy: Math.fround(accuracy / 1_000), wordErrors, skipped: false, duration: 0,
  };
}

const ACHIEVEMENTS = {
  first_multiplayer: ['First scene together', 'Finish a game with another player'],
  perfect_pair: ['Perfect pair', 'Two perfect lines, one after the other'],
  chatterbox: ['Chatterbox', 'Fifty lines in one game'],
  language_partner: ['Language partner', 'The fifth session with the same friend'],
  flawless_scene: ['Flawless scene', 'A game without an error'],
  streak_master: ['Streak master', 'Ten perfect lines in a row'],
  speed_reader: ['Speed reader', 'Less than three seconds a line'],
};

const isPerfect = ({ pronunciationResult: result }) => !result.skipped && permille(result.accuracy) === 1_000;
const isFlawless = ({ pronunciationResult: result }) => !result.skipped && result.errorCount === 0;

/** 9.3 to 9.10: who has earned what, as pairs of an id and the players, in the order of the list. */
function achievements(players, hostID, history, earlierSessions) {
  const everybody = players.map((player) => player.id);
  const readers = new Set();
  history.slice(1).forEach((line, index) => {
    if (!isPerfect(history[index]) || !isPerfect(line)) return;
    readers.add(history[index].assignedToPlayerId).add(line.assignedToPlayerId);
  });
  const partners = everybody.filter((id) => id !== hostID && earlierSessions.get(id) === 4);
  const ids = (isEarned) => players.filter(isEarned).map((player) => player.id);
  const earned = {
    first_multiplayer: players.length >= 2 ? everybody : [],
    perfect_pair: everybody.filter((id) => readers.has(id)),
    chatterbox: history.length >= 50 ? everybody : [],
    language_partner: partners.length ? everybody.filter((id) => id === hostID || partners.includes(id)) : [],
    flawless_scene: history.length && history.every(isFlawless) ? everybody : [],
    streak_master: ids(({ stats }) => stats.longestRun >= 10),
    speed_reader: ids(({ stats }) => stats.lines && stats.duration < 3_000 * stats.lines),
  };
  return Object.entries(earned).filter(([, players]) => players.length);
}

module.exports = { ACHIEVEMENTS, Stats, achievements, compared, mean, overall, permille, ranking, rows, words };
