'use strict';
// The host's links and seats: who is there, and what everybody is told about it (bab.md 5.1, 5.7, 7).

const { App, Ignored, SECOND } = require('./app.js');
const { encode } = require('./packets.js');
const { Stats } = require('./points.js');

const JOIN_TIME = 15 * SECOND; // 8.3
const MEMORY = 45 * SECOND; // 8.2
const HOST_ONLY = [
  'DIALOG_LINE_ADDED', 'FULL_STATE_SNAPSHOT', 'NAVIGATION_SYNC', 'GAME_STARTED', 'TURN_ADVANCED', 'LEADERBOARD_UPDATE',
  'LOBBY_UPDATE', 'START_GAME',
];

/** A place in the game: of one who is seated, or of one who is remembered. */
class Player {
  constructor(id, name, place, link) {
    Object.assign(this, { id, name, place });
    this.link = link; // null for the host, and while remembered
    this.role = null;
    this.isReady = false;
    this.stats = new Stats();
  }
}

/** 7.7: clients speak for themselves. */
function own(packet, named) {
  if (named !== packet.sender) throw new Ignored('BAB 7.7', `${packet.kind} for ${named} from ${packet.sender}`);
}

/** Links and seats. `Lobby` (lobby.js) adds scenario and roles, `Game` (game.js) turns, votes and the end. */
class Hosting extends App {
  role = 'host';
  isHosting = false;
  isLeaving = false;
  isAdvertising = false;
  hasRadio = true;
  phase = 'LOBBY'; // LOBBY, ACTIVE, VOTING, FINISHED; what is shown before the game follows 5.3.7
  scenarioID = '';
  difficulty = 'normal';
  remembered = new Map();
  lastPlace = 0;

  constructor(hello, platform) {
    super(hello, platform);
    this.players = [new Player(this.id, this.name, 0, null)];
  }

  get me() {
    return this.players[0];
  }

  get seated() {
    return this.players.slice(1);
  }

  get inLobby() {
    return this.phase === 'LOBBY';
  }

  player(id) {
    return this.players.find((player) => player.id === id);
  }

  playerOf(link) {
    return this.seated.find((player) => player.link === link);
  }

  /** 5.6.5 */
  knows(id) {
    if (this.player(id) || this.remembered.has(id)) return true;
    return [...this.links.values()].some((link) => link.peer === id);
  }

  get held() {
    return [...this.links.values()].filter((link) => !link.isClosing);
  }

  // The platform

  user_startHosting() {
    if (this.isHosting) return;
    this.isHosting = true;
    this.isLeaving = false;
    this.show('linkState', { linkState: 'CONNECTED' });
    this.showLobby();
    // 2.1: the service is there once for all lobbies.
    if (this.hasPublished) {
      this.isAdvertising = false;
      this.advertise();
    } else {
      this.openShop();
    }
    this.beat();
  }

  /** 5.1.1: first the service, then the advertising. */
  openShop() {
    this.hasPublished = true;
    this.do('publish', { service: this.dialect.service, characteristics: this.dialect.characteristics });
    this.isAdvertising = false;
    this.advertise();
  }

  /** 5.1.2, 5.1.3, 5.2.9, 5.7.3: advertises while somebody may still come, and only then. */
  advertise(again = false) {
    const isFree = 1 + this.held.length < this.dialect.capacity;
    const isWanted = this.isHosting && this.hasRadio && isFree && (this.inLobby || this.remembered.size > 0);
    if (isWanted && (again || !this.isAdvertising)) {
      const localName = this.dialect.localName(this.id, this.name);
      this.do('advertise', { localName, services: [this.dialect.service] });
    } else if (!isWanted && this.isAdvertising) {
      this.do('stopAdvertising');
    }
    this.isAdvertising = isWanted;
  }

  on_advertisingStarted(input) {
    if (input.started || !this.isAdvertising) return;
    this.isAdvertising = false;
    this.setTimer('advertise', SECOND, () => this.advertise());
  }

  on_radioPower(input) {
    this.hasRadio = input.on;
    if (!this.hasRadio) {
      this.hasPublished = false;
      this.isAdvertising = false;
      for (const link of this.links.values()) link.isClosing = true;
      for (const link of [...this.links.values()]) this.lose(link);
    } else if (this.isHosting) {
      this.openShop();
    }
  }

  on_connected(input) {
    const link = this.addLink(input.link, input.address);
    if (!this.isHosting || this.held.length > this.dialect.capacity - 1) {
      this.endLink(link); // 5.1.10
    } else {
      this.setTimer(`join ${link.number}`, JOIN_TIME, () => this.endLink(link));
    }
    this.advertise(true);
  }

  on_disconnected(input) {
    const link = this.links.get(input.link);
    if (link) this.lose(link);
  }

  /** 5.7.1: a link is over, and so is its player's seat. */
  lose(link) {
    this.cancelTimer(`join ${link.number}`);
    this.forgetLink(link);
    const player = this.playerOf(link);
    if (player) this.unseat(player);
    this.advertise();
  }

  on_subscribed(input) {
    const link = this.links.get(input.link);
    if (!link || input.characteristic !== this.dialect.state) return;
    link.maySend = input.on;
    this.pump(link);
  }

  on_valueReceived(input) {
    const link = this.links.get(input.link);
    if (!link || link.isClosing || this.isLeaving || input.characteristic !== this.dialect.command) return;
    this.receive(link, Buffer.from(input.octets, 'hex'));
  }

  transmit(link, value) {
    this.do('notify', { link: link.number, characteristic: this.dialect.state, octets: value.toString('hex') });
  }

  // Sending

  /** A packet to one link. */
  tell(link, kind, payload) {
    this.post(link, this.stamped(kind, payload));
  }

  /** One packet to every client that has a seat (5.6.1). */
  tellAll(kind, payload) {
    if (!this.seated.length) return null;
    const packet = this.stamped(kind, payload);
    const octets = encode(packet);
    for (const player of this.seated) this.post(player.link, packet, octets);
    return octets;
  }

  /** 5.2.4; in `app` the lobby can be read, too (2.9). */
  tellLobby() {
    this.showLobby();
    const lobbyState = {
      selectedScenarioId: this.scenarioID, difficultyLevel: this.difficulty,
      connectedPlayers: this.players.map((player) => ({ playerId: player.id, displayName: player.name })),
    };
    const octets = this.tellAll('LOBBY_UPDATE', { lobbyState });
    if (octets && this.dialect.isApp && octets.length <= 512) {
      this.do('setValue', { characteristic: this.dialect.state, octets: octets.toString('hex') });
    }
  }

  /** 8.8 */
  beat() {
    if (!this.heartbeat || !this.isHosting) return;
    this.tellAll('HEARTBEAT', {});
    this.setTimer('heartbeat', this.heartbeat, () => this.beat());
  }

  // The screen

  showLobby() {
    const players = this.players.map((player) => player.id);
    this.show('lobby', { scenarioID: this.scenarioID, difficulty: this.difficulty, players });
    this.show('roster', { players });
    this.showPhase();
  }

  /** 5.3.7 */
  get shownPhase() {
    if (!this.inLobby) return this.phase;
    if (this.me.isReady) return 'WAITING';
    return this.players.some((player) => player.role) ? 'ROLE_SELECTION' : 'LOBBY';
  }

  showPhase() {
    this.show('phase', { phase: this.shownPhase });
  }

  // Packets from clients

  accept(link, packet) {
    if (packet.kind === 'HANDSHAKE') {
      this.shake(link, packet);
    } else if (link.peer === null) {
      throw new Ignored('BAB 7.6', `${packet.kind} before a HANDSHAKE`);
    } else if (packet.sender !== link.peer) {
      throw new Ignored('BAB 7.2', `${link.peer} speaks for ${packet.sender}`);
    } else if (HOST_ONLY.includes(packet.kind)) {
      throw new Ignored('BAB 7.1', `${packet.kind} from a client`);
    } else {
      this.inOrder(link, packet);
      this.obey(link, packet);
    }
    this.merge(packet.clock, (peer) => this.knows(peer));
  }

  /** A HANDSHAKE: binds an id to a link, once. */
  shake(link, packet) {
    const { participant } = packet.payload;
    const peer = participant.id;
    if (link.peer !== null && peer !== link.peer) throw new Ignored('BAB 7.4', `${link.peer} is ${peer} now`);
    if (peer !== packet.sender) throw new Ignored('BAB 7.2', `${packet.sender} shakes hands for ${peer}`);
    if (participant.isHost || peer === this.id) throw new Ignored('BAB 7.10', `${peer} claims to be a host`);
    if (!peer) throw new Ignored('BAB 1.5', 'an empty id');
    if (link.peer !== null) {
      this.inOrder(link, packet);
      return;
    }
    for (const other of this.held.filter((other) => other !== link && other.peer === peer)) {
      if (other.address !== link.address) {
        this.endLink(link);
        throw new Ignored('BAB 7.9', `${peer} is on another link`);
      }
      this.endLink(other); // 5.7.11
      this.cancelTimer(`join ${other.number}`);
      const player = this.playerOf(other);
      if (player) this.unseat(player);
    }
    link.peer = peer;
    link.lastCount = packet.count;
    const me = { id: this.id, name: this.name, role: this.packedRole(this.me), isHost: true };
    this.tell(link, 'HANDSHAKE', { participant: me });
  }

  /** A packet of a client that has shaken hands. */
  obey(link, packet) {
    if (packet.kind === 'CLIENT_JOIN') {
      own(packet, packet.payload.profile.playerId);
      this.join(link, packet.payload.profile);
    } else if (packet.kind !== 'HEARTBEAT') {
      const take = this[`take_${packet.kind}`];
      const player = this.playerOf(link);
      if (!take || !player) throw new Ignored();
      take.call(this, player, packet);
    }
  }

  // Seats

  /** 5.1.7, 5.2.10, 5.7.4: a seat, or the end of the link. */
  join(link, profile) {
    if (this.playerOf(link)) throw new Ignored();
    this.cancelTimer(`join ${link.number}`);
    const known = this.remembered.get(link.peer);
    if (this.players.length >= this.dialect.capacity || !(this.inLobby || known)) {
      this.endLink(link);
      return;
    }
    const player = known ?? new Player(link.peer, profile.displayName, (this.lastPlace += 1), link);
    if (known) {
      this.remembered.delete(link.peer);
      this.cancelTimer(`memory ${link.peer}`);
      player.link = link;
      player.name = profile.displayName;
      if (this.players.some((other) => other.role === player.role)) player.role = null;
    }
    this.players = [...this.players, player].sort((one, other) => one.place - other.place);
    if (known) this.sendSnapshot(player);
    this.tellLobby();
    this.brief(player, Boolean(known));
    this.advertise();
  }

  /** 5.1.12 for a newcomer; 5.3.4 for the others, when one comes back with a role. */
  brief(newcomer, isBack) {
    for (const player of this.players.filter((player) => player.role)) {
      const payload = { playerId: player.id, roleId: player.role };
      if (isBack && player === newcomer) {
        this.showRole(player);
        this.tellAll('ROLE_ASSIGNED', payload);
      } else {
        this.tell(newcomer.link, 'ROLE_ASSIGNED', payload);
      }
    }
    for (const player of this.players.filter((player) => player.isReady)) {
      this.tell(newcomer.link, 'PLAYER_READY', { playerId: player.id, isReady: true });
    }
  }

  /** 5.7.1, 5.7.2: out of the roster, and remembered for a while. */
  unseat(player) {
    const index = this.players.indexOf(player);
    this.players = this.players.filter((other) => other !== player);
    player.link = null;
    player.isReady = false;
    if (this.isLeaving) return;
    this.remembered.set(player.id, player);
    this.setTimer(`memory ${player.id}`, MEMORY, () => this.forget(player));
    this.tellLobby();
    this.seatLost(player, index);
  }

  forget(player) {
    this.remembered.delete(player.id);
    this.advertise();
  }
}

module.exports = { Hosting, Player, own };
