'use strict';
// What a client says, believes and shows (bab.md 5.2 to 5.8, 7).

const { Ignored, SECOND } = require('./app.js');
const { Joining } = require('./joining.js');
const { compared, permille, rows } = require('./points.js');

const MOST_PRIVATE = 64; // 8.12
const MOST_CLOCK = 64; // 5.6.5
const VOTE_TIME = 30 * SECOND; // 8.4
const BEFORE_THE_GAME = ['LOBBY', 'ROLE_SELECTION', 'WAITING'];

/** A whole client. It believes what its host tells it and decides nothing. */
class Playing extends Joining {
  constructor(hello, platform) {
    super(hello, platform);
    this.forgetSession();
  }

  forgetSession() {
    this.phase = 'LOBBY';
    this.scenarioID = '';
    this.players = [];
    this.roles = new Map();
    this.ready = new Set();
    this.turn = null;
    this.pending = null;
    this.private = new Map(); // lines that are not committed, by id
    this.history = []; // ids
    this.answered = null; // the id of the line that we have read or skipped
    this.vote = null; // proposer, action, cast
    this.hasResumed = false; // a snapshot came before the seat
  }

  user_joinHost() {
    if (!this.isJoining) this.forgetSession();
    super.user_joinHost();
  }

  get isFinished() {
    return this.phase === 'FINISHED';
  }

  // What we say

  /** 5.1.5: the first packets on a link. */
  introduce() {
    this.hasResumed = false;
    this.tell('HANDSHAKE', { participant: { id: this.id, name: this.name, role: null, isHost: false } });
    this.tell('CLIENT_JOIN', { profile: { playerId: this.id, displayName: this.name } });
    if (this.heartbeat) this.setTimer('heartbeat', this.heartbeat, () => this.beat());
  }

  beat() {
    if (!this.link) return;
    this.tell('HEARTBEAT', {});
    this.setTimer('heartbeat', this.heartbeat, () => this.beat());
  }

  tell(kind, payload) {
    this.post(this.link, this.stamped(kind, payload));
  }

  user_requestRole({ role }) {
    if (this.hasSeat) this.tell('ROLE_ASSIGNED', { playerId: this.id, roleId: role });
  }

  user_setReady({ ready }) {
    if (this.hasSeat) this.tell('PLAYER_READY', { playerId: this.id, isReady: ready });
  }

  user_completeLine({ accuracyPermille, errorCount, durationMilliseconds }) {
    if (!this.mayAnswer()) return;
    const result = {
      errorCount, accuracy: Math.fround(accuracyPermille / 1_000), wordErrors: [], skipped: false,
      duration: durationMilliseconds,
    };
    this.tell('LINE_COMPLETED', { lineId: this.pending.id, result });
  }

  user_speak({ text }) {
    if (!this.mayAnswer()) return;
    const result = compared(this.pending.textNative, text, this.dialect.countsExtraWords);
    this.tell('LINE_COMPLETED', { lineId: this.pending.id, result });
  }

  user_skipLine() {
    if (this.mayAnswer()) this.tell('LINE_SKIPPED', { lineId: this.pending.id });
  }

  /** 5.4.12: our line, once. */
  mayAnswer() {
    if (!this.hasSeat || !this.pending || this.turn !== this.id || this.answered === this.pending.id) return false;
    this.answered = this.pending.id;
    return true;
  }

  user_generate({ prompt }) {
    if (this.hasSeat && this.turn === this.id) this.tell('GENERATE_REQUEST', { prompt });
  }

  user_proposeVote({ vote }) {
    if (this.hasSeat && this.phase === 'ACTIVE') this.tell('VOTE_REQUEST', { proposerId: this.id, action: vote });
  }

  user_castVote({ yes }) {
    if (!this.hasSeat || !this.vote || this.vote.cast.has(this.id)) return;
    this.tell('VOTE_CAST', { voterId: this.id, vote: yes });
  }

  // What we believe

  accept(link, packet) {
    if (packet.kind === 'CLIENT_JOIN' || packet.kind === 'GENERATE_REQUEST') {
      throw new Ignored('BAB 7.12', `${packet.kind} from a host`);
    }
    if (packet.sender !== (link.peer ?? packet.sender) || packet.sender === this.id) {
      throw new Ignored('BAB 7.5', `${packet.sender} speaks on the link of ${link.peer}`);
    }
    if (packet.kind === 'HANDSHAKE') {
      const { participant } = packet.payload;
      if (!participant.isHost || participant.id !== packet.sender) {
        throw new Ignored('BAB 7.5', "a HANDSHAKE that is not the host's");
      }
      if (this.host?.name === null) { // 5.7.7: found before its scan response had come
        this.host.name = this.dialect.localName(participant.id, participant.name);
      }
    }
    link.peer = packet.sender;
    this.inOrder(link, packet);
    this[`take_${packet.kind}`]?.(packet.payload);
    this.merge(packet.clock, (peer) => this.clock.has(peer) || this.clock.size < MOST_CLOCK);
  }

  /** 5.1.13, 5.2.5, 5.2.6 */
  take_LOBBY_UPDATE({ lobbyState: lobby }) {
    this.players = lobby.connectedPlayers.map((profile) => profile.playerId);
    const isAnother = lobby.selectedScenarioId !== this.scenarioID;
    this.scenarioID = lobby.selectedScenarioId;
    const stays = (player) => !isAnother && this.players.includes(player);
    this.roles = new Map([...this.roles].filter(([player]) => stays(player)));
    this.ready = new Set([...this.ready].filter(stays));
    this.show('lobby', { scenarioID: this.scenarioID, difficulty: lobby.difficultyLevel, players: this.players });
    this.show('roster', { players: this.players });
    if (this.players.includes(this.id) && !this.hasSeat) {
      this.seated();
      if (this.hasResumed) this.do('resumed');
    }
    this.showPhase();
    this.countVotes();
  }

  /** 5.3.7 before the game. */
  showPhase() {
    let phase = this.phase;
    if (BEFORE_THE_GAME.includes(phase)) {
      phase = this.ready.has(this.id) ? 'WAITING' : this.roles.size ? 'ROLE_SELECTION' : 'LOBBY';
    }
    this.show('phase', { phase });
  }

  take_ROLE_ASSIGNED({ playerId: player, roleId: role }) {
    if (this.roles.get(player) === role) return;
    this.ready.delete(player); // 5.3.5
    this.roles.set(player, role);
    this.do('role', { player, role });
    this.showPhase();
  }

  take_PLAYER_READY({ playerId: player, isReady }) {
    if (this.ready.has(player) === isReady) return;
    if (isReady) this.ready.add(player);
    else this.ready.delete(player);
    this.do('ready', { player, ready: isReady });
    this.showPhase();
  }

  take_START_GAME() {
    this.phase = 'ACTIVE';
    this.showPhase();
  }

  take_GAME_STARTED() {
    this.take_START_GAME();
  }

  take_TURN_ADVANCED({ nextPlayerId, pendingLine }) {
    this.turn = nextPlayerId;
    this.pending = pendingLine;
    this.show('turn', { player: this.turn });
    if (this.pending) this.keep(this.pending);
  }

  /** 5.4.4, 8.12: remembers a line that is not committed, and shows what we may show of it. */
  keep(line) {
    this.private.delete(line.id);
    this.private.set(line.id, line);
    if (this.private.size > MOST_PRIVATE) this.private.delete(this.private.keys().next().value);
    const isMine = line.assignedToPlayerId === this.id;
    this.show('screen', { lineID: line.id, text: isMine ? line.textNative : null });
  }

  take_DIALOG_LINE_ADDED({ line }) {
    if (line.visibility === 'COMMITTED') this.commit(line);
    else this.keep(line);
  }

  /** 5.4.7: usually it is in the history by now. */
  take_LINE_COMPLETED({ lineId }) {
    if (this.private.has(lineId)) this.commit(this.private.get(lineId));
  }

  take_LINE_SKIPPED(payload) {
    this.take_LINE_COMPLETED(payload);
  }

  commit(line) {
    this.private.delete(line.id);
    if (this.pending?.id === line.id) this.pending = null;
    if (this.history.includes(line.id)) return;
    this.history.push(line.id);
    this.do('committed', { index: this.history.length - 1, lineID: line.id, text: line.textNative });
  }

  take_LEADERBOARD_UPDATE({ leaderboard }) {
    this.show('leaderboard', { rows: rows(leaderboard.rankings) });
  }

  // Votes (5.5)

  take_VOTE_REQUEST({ proposerId, action }) {
    if (this.phase === 'ACTIVE') this.openVote(action, new Map([[proposerId, true]]));
  }

  openVote(action, cast) {
    this.vote = { action, cast };
    this.phase = 'VOTING';
    this.setTimer('vote', VOTE_TIME, () => this.closeVote(false));
    this.showPhase();
    for (const [voter, yes] of cast) this.do('vote', { action, voter, yes });
    this.countVotes();
  }

  take_VOTE_CAST({ voterId: voter, vote: yes }) {
    if (!this.vote || this.vote.cast.has(voter) || !this.players.includes(voter)) return;
    this.vote.cast.set(voter, yes);
    this.do('vote', { action: this.vote.action, voter, yes });
    this.countVotes();
  }

  /** 5.5.5, 5.5.6 */
  countVotes() {
    if (!this.vote) return;
    if ([...this.vote.cast.values()].includes(false)) this.closeVote(false);
    else if (this.players.every((player) => this.vote.cast.get(player))) this.closeVote(true);
  }

  closeVote(passed) {
    const { action } = this.vote;
    this.dropVote();
    this.phase = 'ACTIVE';
    this.do('voteResult', { action, passed });
    this.showPhase();
  }

  dropVote() {
    this.vote = null;
    this.cancelTimer('vote');
  }

  // Snapshots (5.7.4 to 5.7.6, 5.8.2)

  take_FULL_STATE_SNAPSHOT({ state }) {
    if (!this.hasSeat) this.hasResumed = true;
    if (state.committedHistory.length) {
      this.history = state.committedHistory.map((line) => line.id);
      this.do('historyReplaced', { lineIDs: this.history });
    }
    this.applyRoles(state);
    this.dropVote();
    const isVoting = state.currentPhase === 'VOTING';
    this.phase = isVoting ? 'ACTIVE' : state.currentPhase;
    this.turn = state.currentTurnPlayerId;
    this.pending = state.pendingLine;
    if (isVoting && state.pendingVote) {
      const { proposerId, action } = state.pendingVote;
      this.openVote(action, new Map([[proposerId, true], ...state.voteResults]));
    }
    this.showPhase();
    this.show('turn', { player: this.turn });
    if (this.pending) this.keep(this.pending);
    const leaderboard = state.sessionLeaderboard;
    if (leaderboard?.rankings.length) this.take_LEADERBOARD_UPDATE({ leaderboard });
    if (state.sessionSummary) this.showSummary(state.sessionSummary);
  }

  applyRoles(state) {
    if (state.scenario) this.scenarioID = state.scenario.id;
    for (const [player, role] of state.roles) {
      if (this.roles.get(player) !== role.id) this.do('role', { player, role: role.id });
    }
    if (state.roles.size) this.roles = new Map([...state.roles].map(([player, role]) => [player, role.id]));
    if (!state.lobbyPlayers.length) return;
    this.players = state.lobbyPlayers.map((player) => player.peerId);
    this.ready = new Set(state.lobbyPlayers.filter((player) => player.isReady).map((player) => player.peerId));
  }

  showSummary(summary) {
    this.show('summary', {
      lines: summary.totalLines, accuracyPermille: permille(summary.overallAccuracy),
      durationMilliseconds: Number(summary.durationMs), rows: rows(summary.playerRankings),
      achievements: summary.achievementsUnlocked.map((achievement) => achievement.id),
    });
  }
}

module.exports = { Playing };
