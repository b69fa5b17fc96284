'use strict';
// The host's game: turns, votes, points and the end (bab.md 5.2 to 5.5, 5.8, 9).

const { Ignored, SECOND } = require('./app.js');
const { Player, own } = require('./hosting.js');
const { Lobby } = require('./lobby.js');
const { encode } = require('./packets.js');
const { achievements, compared, overall, permille, ranking, rows } = require('./points.js');
const { reduced, snapshot, summary } = require('./snapshots.js');

const VOTE_TIME = 30 * SECOND; // 8.4
const FAREWELL = 5 * SECOND; // how long a host that leaves waits for what is queued
const ACTIONS = ['CHANGE_SCENE', 'END_GAME', 'SKIP_LINE'];
const SKIPPED = { errorCount: 0, accuracy: 0, wordErrors: [], skipped: true, duration: 0 };

/** A whole host. */
class Game extends Lobby {
  lastLine = 0; // 5.4.10: never goes back
  firsts = new Set(); // players and scenarios of completed lines (6.1)

  constructor(hello, platform) {
    super(hello, platform);
    this.reset();
  }

  /** As it is before a game. */
  reset() {
    this.phase = 'LOBBY';
    this.history = [];
    this.turn = null; // a player
    this.pending = null; // a line
    this.made = 0; // lines of this game
    this.vote = null;
    this.started = 0;
    this.summary = null;
  }

  get isOn() {
    return this.phase === 'ACTIVE' || this.phase === 'VOTING';
  }

  get isMyTurn() {
    return this.isOn && this.turn === this.me;
  }

  // The start

  /** 5.2.7, 5.2.8 */
  user_startLobbyGame() {
    if (this.inLobby && this.seated.length && this.scenario(this.scenarioID)) this.begin('START_GAME');
  }

  /** 5.3.8, 5.3.9 */
  user_startMultiplayerGame() {
    const areReady = this.players.every((player) => player.role && player.isReady);
    if (this.inLobby && this.seated.length && areReady) this.begin('GAME_STARTED');
  }

  /** Either start: the game is on, and the first player's turn (5.4.1). */
  begin(kind) {
    this.reset();
    this.phase = 'ACTIVE';
    this.started = this.now;
    this.tellAll(kind, {});
    this.showPhase();
    this.advertise();
    this.takeTurn(this.me);
  }

  // Turns

  /** 5.4.2, 5.4.3: makes a line for a player and tells everybody whose turn it is. */
  takeTurn(player) {
    this.turn = player;
    this.pending = this.makeLine(player);
    this.shown.delete('turn'); // another line is another turn, whoever had the one before
    this.announce();
    this.showTurn();
  }

  makeLine(player) {
    this.lastLine += 1;
    this.made += 1;
    const entry = this.script.length
      ? this.script[(this.made - 1) % this.script.length]
      : { native: `Frase ${this.made}`, translated: `Sentence ${this.made}` };
    const line = {
      id: `line-${this.lastLine}`, speakerId: player.id, roleName: this.packedRole(player)?.name ?? '',
      textNative: entry.native, textTranslated: entry.translated, timestamp: Date.now(), assignedToPlayerId: player.id,
      visibility: 'PRIVATE', pronunciationResult: null,
    };
    this.do('lineGenerated', { lineID: line.id, player: player.id, text: line.textNative });
    return line;
  }

  /** The pending line as this player may see it (5.4.3, 5.7.10). */
  pendingFor(player) {
    if (!this.pending || player === this.turn) return this.pending;
    return { ...this.pending, textNative: '', textTranslated: '' };
  }

  /** TURN_ADVANCED: one packet, whose line has its texts on one link only. */
  announce() {
    if (!this.seated.length) return;
    const packet = this.stamped('TURN_ADVANCED', { nextPlayerId: this.turn.id, pendingLine: null });
    for (const player of this.seated) {
      packet.payload.pendingLine = this.pendingFor(player);
      this.post(player.link, packet);
    }
  }

  showTurn() {
    this.show('turn', { player: this.turn?.id ?? null });
    const text = this.turn === this.me ? this.pending.textNative : null;
    this.show('screen', { lineID: this.pending.id, text });
  }

  /** 5.4.8, 5.5.6: a player is gone who had this place in the roster. */
  seatLost(player, index) {
    if (this.turn === player && this.isOn) this.takeTurn(this.players[index % this.players.length]);
    this.countVotes();
  }

  take_LINE_COMPLETED(player, packet) {
    const { result, lineId } = packet.payload;
    this.checkLine(player, lineId);
    const limits = { accuracy: 1, errorCount: 10_000, duration: 86_400_000 };
    if (!Object.entries(limits).every(([key, most]) => result[key] >= 0 && result[key] <= most)) {
      throw new Ignored('BAB 7.11', 'a result out of bounds');
    }
    this.commit(result.skipped ? SKIPPED : result); // 5.4.13
  }

  take_LINE_SKIPPED(player, packet) {
    this.checkLine(player, packet.payload.lineId);
    this.commit(SKIPPED);
  }

  /** 5.4.5, 5.4.11, 7.3 */
  checkLine(player, lineID) {
    if (!this.isOn || this.pending?.id !== lineID) throw new Ignored();
    if (player !== this.turn) throw new Ignored('BAB 7.3', `${player.id} for ${this.turn.id}`);
  }

  user_completeLine({ accuracyPermille, errorCount, durationMilliseconds }) {
    if (!this.isMyTurn) return;
    this.commit({
      errorCount, accuracy: Math.fround(accuracyPermille / 1_000), wordErrors: [], skipped: false,
      duration: durationMilliseconds,
    });
  }

  user_speak({ text }) {
    if (this.isMyTurn) this.commit(compared(this.pending.textNative, text, this.dialect.countsExtraWords));
  }

  user_skipLine() {
    if (this.isMyTurn) this.commit(SKIPPED);
  }

  /** 5.4.6: the pending line is read or skipped. */
  commit(result) {
    const line = { ...this.pending, visibility: 'COMMITTED', pronunciationResult: result };
    const player = this.turn;
    this.history.push(line);
    this.do('lineAccepted', {
      lineID: line.id, player: player.id, skipped: result.skipped, accuracyPermille: permille(result.accuracy),
    });
    this.do('committed', { index: this.history.length - 1, lineID: line.id, text: line.textNative });
    this.score(player, result);
    this.tellAll('DIALOG_LINE_ADDED', { line });
    if (result.skipped) this.tellAll('LINE_SKIPPED', { lineId: line.id });
    else this.tellAll('LINE_COMPLETED', { lineId: line.id, result });
    const isLast = this.history.length === this.totalLines;
    if (isLast) this.pending = null;
    else this.takeTurn(this.players[(this.players.indexOf(player) + 1) % this.players.length]);
    const rankings = ranking(this.players);
    this.tellAll('LEADERBOARD_UPDATE', { leaderboard: { rankings, updatedAt: Date.now() } });
    this.do('leaderboard', { rows: rows(rankings) });
    if (isLast) this.finish();
  }

  /** 6 */
  score(player, result) {
    if (result.skipped) {
      player.stats.skip();
    } else {
      const first = JSON.stringify([player.id, this.scenarioID]);
      player.stats.complete(this.dialect.points, {
        accuracy: permille(result.accuracy), errors: result.errorCount, duration: Number(result.duration),
        isTogether: this.players.length > 1, isFirst: !this.firsts.has(first),
      });
      this.firsts.add(first);
    }
    this.do('score', { player: player.id, xp: player.stats.xp });
  }

  // Another line

  take_GENERATE_REQUEST(player) {
    if (!this.isOn || player !== this.turn) throw new Ignored();
    this.takeTurn(player); // 5.4.9
  }

  user_generate() {
    if (this.isMyTurn) this.takeTurn(this.me);
  }

  // Votes

  take_VOTE_REQUEST(player, packet) {
    own(packet, packet.payload.proposerId);
    if (this.phase !== 'ACTIVE') throw new Ignored(); // 5.5.1
    this.openVote(player, packet.payload.action);
  }

  user_proposeVote({ vote }) {
    if (this.phase === 'ACTIVE' && ACTIONS.includes(vote)) this.openVote(this.me, vote);
  }

  /** 5.5.2; the proposer's yes counts as cast (5.5.3). */
  openVote(player, action) {
    const cast = new Map([[player.id, true]]);
    this.vote = { proposer: player.id, action, required: this.players.length, cast };
    this.phase = 'VOTING';
    this.tellAll('VOTE_REQUEST', { proposerId: player.id, action });
    this.setTimer('vote', VOTE_TIME, () => this.closeVote(false));
    this.showPhase();
    this.do('vote', { action, voter: player.id, yes: true });
    this.countVotes();
  }

  take_VOTE_CAST(player, packet) {
    own(packet, packet.payload.voterId);
    if (!this.vote || this.vote.cast.has(player.id)) throw new Ignored(); // 5.5.4
    this.cast(player, packet.payload.vote);
  }

  user_castVote({ yes }) {
    if (this.vote && !this.vote.cast.has(this.id)) this.cast(this.me, yes);
  }

  cast(player, yes) {
    this.vote.cast.set(player.id, yes);
    this.tellAll('VOTE_CAST', { voterId: player.id, vote: yes });
    this.do('vote', { action: this.vote.action, voter: player.id, yes });
    this.countVotes();
  }

  /** 5.5.5 */
  countVotes() {
    if (!this.vote) return;
    if ([...this.vote.cast.values()].includes(false)) this.closeVote(false);
    else if (this.players.every((player) => this.vote.cast.get(player.id))) this.closeVote(true);
  }

  /** 5.5.7, 5.5.8 */
  closeVote(passed) {
    const { action } = this.vote;
    this.vote = null;
    this.cancelTimer('vote');
    this.phase = 'ACTIVE';
    this.do('voteResult', { action, passed });
    this.showPhase();
    if (!passed) return;
    if (action === 'END_GAME') this.finish();
    else if (action === 'SKIP_LINE' && this.pending) this.commit(SKIPPED);
    else if (action === 'CHANGE_SCENE' && this.scenarios.length) this.changeScene();
  }

  changeScene() {
    const place = this.scenarios.findIndex((scenario) => scenario.id === this.scenarioID);
    this.select(this.scenarios[(place + 1) % this.scenarios.length].id);
    this.tellAll('NAVIGATION_SYNC', { screenName: 'theater' });
  }

  // The end

  user_endGame() {
    if (this.isOn) this.finish();
  }

  /** 5.8.1, 5.8.2 */
  finish() {
    this.cancelTimer('vote');
    this.vote = this.turn = this.pending = null;
    this.phase = 'FINISHED';
    const earned = achievements(this.players, this.id, this.history, this.earlierSessions);
    const names = earned.map(([name]) => name);
    for (const { id } of this.seated) this.earlierSessions.set(id, (this.earlierSessions.get(id) ?? 0) + 1);
    this.summary = summary(this, names);
    if (this.seated.length) {
      const packet = this.stamped('FULL_STATE_SNAPSHOT', { state: snapshot(this, null) });
      for (const player of this.seated) this.postReduced(player, packet);
    }
    this.show('turn', { player: null });
    this.showPhase();
    for (const [id, players] of earned) for (const player of players) this.do('achievement', { player, id });
    this.do('summary', {
      lines: this.history.length, accuracyPermille: overall(this.players),
      durationMilliseconds: this.summary.durationMs, rows: rows(this.summary.playerRankings), achievements: names,
    });
    this.advertise();
  }

  /** 5.7.4, 5.7.5: to one who is back. */
  sendSnapshot(player) {
    const packet = this.stamped('FULL_STATE_SNAPSHOT', { state: snapshot(this, player) });
    if (!this.postReduced(player, packet)) return;
    for (const line of this.history) this.tell(player.link, 'DIALOG_LINE_ADDED', { line });
    const leaderboard = { rankings: ranking(this.players), updatedAt: Date.now() };
    this.tell(player.link, 'LEADERBOARD_UPDATE', { leaderboard });
  }

  /** Sends a snapshot, with less in it where it would not fit; whether that was so. */
  postReduced(player, packet) {
    const { state } = packet.payload;
    let octets;
    let step = -1;
    do {
      step += 1;
      octets = encode(Object.assign(packet, { payload: { state: reduced(state, step) } }));
    } while (step < 2 && !this.fits(player.link, octets));
    this.post(player.link, packet, octets);
    packet.payload = { state };
    return step > 0;
  }

  /** 5.8.4: the end of the game first; a link goes when it has carried what is queued. */
  user_leave() {
    if (!this.isHosting) return;
    this.user_endGame();
    this.isHosting = false;
    this.isLeaving = true;
    this.cancelTimer('heartbeat');
    for (const id of this.remembered.keys()) this.cancelTimer(`memory ${id}`);
    this.remembered.clear();
    this.advertise();
    for (const link of this.links.values()) this.drained(link);
    this.setTimer('farewell', FAREWELL, () => this.links.forEach((link) => this.endLink(link)));
    this.show('linkState', { linkState: 'DISCONNECTED' });
    this.do('sessionEnded', { reason: 'left' });
    this.gone();
  }

  /** What the platform has taken has a second to reach the air before the link is ended. */
  drained(link) {
    if (!this.isLeaving || (link.queue.length && link.maySend)) return;
    this.setTimer(`hang up ${link.number}`, SECOND, () => this.endLink(link));
  }

  lose(link) {
    this.cancelTimer(`hang up ${link.number}`);
    super.lose(link);
    this.gone();
  }

  /** The last link of a host that left is over: it may host again. */
  gone() {
    if (!this.isLeaving || this.links.size) return;
    this.isLeaving = false;
    this.cancelTimer('farewell');
    this.players = [new Player(this.id, this.name, 0, null)];
    this.lastPlace = 0;
    this.reset();
  }
}

module.exports = { Game };
