"""The host's lobby: scenario, difficulty, roles and readiness (bab.md 5.2, 5.3)."""

from .app import Ignored
from .hosting import Hosting


class Lobby(Hosting):
    """What can be agreed on before a game."""

    def user_setLobbyScenario(self, scenario):
        if self.in_lobby and scenario != self.scenario_id:
            self.select(scenario)

    def select(self, scenario_id):
        """5.2.6."""
        self.scenario_id = scenario_id
        for player in self.players + list(self.remembered.values()):
            player.role = None
            player.is_ready = False
        self.tell_lobby()

    def user_setLobbyDifficulty(self, difficulty):
        if self.in_lobby and difficulty in ("easy", "normal", "hard") and difficulty != self.difficulty:
            self.difficulty = difficulty
            self.tell_lobby()

    def user_assignRole(self, player, role):
        found = self.player(player)
        if found and self.may_have(found, role):
            self.assign(found, role)

    def user_requestRole(self, role):
        self.user_assignRole(self.id, role)

    def take_ROLE_ASSIGNED(self, player, packet):
        self.own(packet, packet.payload["playerId"])
        if not self.may_have(player, packet.payload["roleId"]):
            raise Ignored()
        self.assign(player, packet.payload["roleId"])

    def may_have(self, player, role_id):
        """5.3.1, 5.3.2, 5.3.3."""
        if not self.in_lobby or self.role_of(self.scenario_id, role_id) is None:
            return False
        return all(other.role != role_id for other in self.players if other is not player)

    def assign(self, player, role_id):
        """5.3.4, 5.3.5."""
        if player.role == role_id:
            return
        player.role = role_id
        player.is_ready = False
        self.show_role(player)
        self.tell_all("ROLE_ASSIGNED", {"playerId": player.id, "roleId": role_id})
        self.show_phase()

    def show_role(self, player):
        self.do("role", player=player.id, role=player.role)

    def user_setReady(self, ready):
        if self.me.role:
            self.set_ready(self.me, ready)

    def take_PLAYER_READY(self, player, packet):
        self.own(packet, packet.payload["playerId"])
        if not player.role:
            raise Ignored()  # 5.3.6
        self.set_ready(player, packet.payload["isReady"])

    def set_ready(self, player, is_ready):
        if player.is_ready != is_ready:
            player.is_ready = is_ready
            self.do("ready", player=player.id, ready=is_ready)
            self.tell_all("PLAYER_READY", {"playerId": player.id, "isReady": is_ready})
            self.show_phase()

    def packed_role(self, player):
        role = player.role and self.role_of(self.scenario_id, player.role)
        return role and {"id": role["id"], "name": role["name"], "description": role["description"]} or None
