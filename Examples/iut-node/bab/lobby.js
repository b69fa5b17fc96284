'use strict';
// The host's lobby: scenario, difficulty, roles and readiness (bab.md 5.2, 5.3).

const { Ignored } = require('./app.js');
const { Hosting, own } = require('./hosting.js');

const DIFFICULTIES = ['easy', 'normal', 'hard'];

/** What can be agreed on before a game. */
class Lobby extends Hosting {
  user_setLobbyScenario({ scenario }) {
    if (this.inLobby && scenario !== this.scenarioID) this.select(scenario);
  }

  /** 5.2.6 */
  select(scenarioID) {
    this.scenarioID = scenarioID;
    for (const player of [...this.players, ...this.remembered.values()]) {
      player.role = null;
      player.isReady = false;
    }
    this.tellLobby();
  }

  user_setLobbyDifficulty({ difficulty }) {
    if (!this.inLobby || !DIFFICULTIES.includes(difficulty) || difficulty === this.difficulty) return;
    this.difficulty = difficulty;
    this.tellLobby();
  }

  user_assignRole({ player, role }) {
    const found = this.player(player);
    if (found && this.mayHave(found, role)) this.assign(found, role);
  }

  user_requestRole({ role }) {
    this.user_assignRole({ player: this.id, role });
  }

  take_ROLE_ASSIGNED(player, packet) {
    own(packet, packet.payload.playerId);
    if (!this.mayHave(player, packet.payload.roleId)) throw new Ignored();
    this.assign(player, packet.payload.roleId);
  }

  /** 5.3.1, 5.3.2, 5.3.3 */
  mayHave(player, roleID) {
    if (!this.inLobby || !this.roleOf(this.scenarioID, roleID)) return false;
    return this.players.every((other) => other === player || other.role !== roleID);
  }

  /** 5.3.4, 5.3.5 */
  assign(player, roleID) {
    if (player.role === roleID) return;
    player.role = roleID;
    player.isReady = false;
    this.showRole(player);
    this.tellAll('ROLE_ASSIGNED', { playerId: player.id, roleId: roleID });
    this.showPhase();
  }

  showRole(player) {
    this.do('role', { player: player.id, role: player.role });
  }

  user_setReady({ ready }) {
    if (this.me.role) this.setReady(this.me, ready);
  }

  take_PLAYER_READY(player, packet) {
    own(packet, packet.payload.playerId);
    if (!player.role) throw new Ignored(); // 5.3.6
    this.setReady(player, packet.payload.isReady);
  }

  setReady(player, isReady) {
    if (player.isReady === isReady) return;
    player.isReady = isReady;
    this.do('ready', { player: player.id, ready: isReady });
    this.tellAll('PLAYER_READY', { playerId: player.id, isReady });
    this.showPhase();
  }

  packedRole(player) {
    const role = player.role && this.roleOf(this.scenarioID, player.role);
    return role ? { id: role.id, name: role.name, description: role.description } : null;
  }
}

module.exports = { Lobby };
