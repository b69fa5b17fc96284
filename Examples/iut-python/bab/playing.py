"""What a client says, believes and shows (bab.md 5.2 to 5.8, 7)."""

from .app import Ignored
from .joining import Joining
from .jsontext import float32
from .points import compared, permille, rows

MOST_PRIVATE = 64  # 8.12
MOST_CLOCK = 64  # 5.6.5
VOTE_TIME = 30_000_000_000  # 8.4
BEFORE_THE_GAME = ("LOBBY", "ROLE_SELECTION", "WAITING")


class Playing(Joining):
    """A whole client. It believes what its host tells it and decides nothing."""

    def __init__(self, hello):
        super().__init__(hello)
        self.forget_session()

    def forget_session(self):
        self.phase = "LOBBY"
        self.scenario_id = ""
        self.players = []
        self.roles = {}
        self.ready = {}
        self.turn = None
        self.pending = None
        self.private = {}  # lines that are not committed, by id
        self.history = []  # ids
        self.answered = None  # the id of the line that we have read or skipped
        self.vote = None  # proposer, action, votes
        self.has_resumed = False  # a snapshot came before the seat

    def user_joinHost(self):
        if not self.is_joining:
            self.forget_session()
        super().user_joinHost()

    def is_finished(self):
        return self.phase == "FINISHED"

    # What we say

    def introduce(self, link):
        """5.1.5."""
        self.has_resumed = False
        participant = {"id": self.id, "name": self.name, "role": None, "isHost": False}
        self.tell("HANDSHAKE", {"participant": participant})
        self.tell("CLIENT_JOIN", {"profile": {"playerId": self.id, "displayName": self.name}})
        if self.heartbeat:
            self.set_timer("heartbeat", self.now + self.heartbeat, self.beat)

    def beat(self):
        if self.link:
            self.tell("HEARTBEAT", {})
            self.set_timer("heartbeat", self.now + self.heartbeat, self.beat)

    def tell(self, kind, payload):
        self.post(self.link, self.stamped(kind, payload))

    def user_requestRole(self, role):
        if self.has_seat:
            self.tell("ROLE_ASSIGNED", {"playerId": self.id, "roleId": role})

    def user_setReady(self, ready):
        if self.has_seat:
            self.tell("PLAYER_READY", {"playerId": self.id, "isReady": ready})

    def user_completeLine(self, accuracyPermille, errorCount, durationMilliseconds):
        if self.may_answer():
            result = {
                "errorCount": errorCount, "accuracy": float32(accuracyPermille / 1000), "wordErrors": [],
                "skipped": False, "duration": durationMilliseconds}
            self.tell("LINE_COMPLETED", {"lineId": self.pending["id"], "result": result})

    def user_speak(self, text):
        if self.may_answer():
            result = compared(self.pending["textNative"], text, self.dialect.counts_extra_words)
            self.tell("LINE_COMPLETED", {"lineId": self.pending["id"], "result": result})

    def user_skipLine(self):
        if self.may_answer():
            self.tell("LINE_SKIPPED", {"lineId": self.pending["id"]})

    def may_answer(self):
        """5.4.12: our line, once."""
        if not self.has_seat or not self.pending or self.turn != self.id or self.answered == self.pending["id"]:
            return False
        self.answered = self.pending["id"]
        return True

    def user_generate(self, prompt):
        if self.has_seat and self.turn == self.id:
            self.tell("GENERATE_REQUEST", {"prompt": prompt})

    def user_proposeVote(self, vote):
        if self.has_seat and self.phase == "ACTIVE":
            self.tell("VOTE_REQUEST", {"proposerId": self.id, "action": vote})

    def user_castVote(self, yes):
        if self.has_seat and self.vote and self.id not in self.vote["cast"]:
            self.tell("VOTE_CAST", {"voterId": self.id, "vote": yes})

    # What we believe

    def accept(self, link, packet):
        if packet.kind in ("CLIENT_JOIN", "GENERATE_REQUEST"):
            raise Ignored("BAB 7.12", packet.kind + " from a host")
        if packet.sender != (link.peer or packet.sender) or packet.sender == self.id:
            raise Ignored("BAB 7.5", "%s speaks on the link of %s" % (packet.sender, link.peer))
        if packet.kind == "HANDSHAKE":
            participant = packet.payload["participant"]
            if not participant["isHost"] or participant["id"] != packet.sender:
                raise Ignored("BAB 7.5", "a HANDSHAKE that is not the host's")
            if self.host and self.host[1] is None:  # 5.7.7: found before its scan response had come
                self.host = (self.host[0], self.dialect.local_name(participant["id"], participant["name"]))
        link.peer = packet.sender
        self.in_order(link, packet)
        handler = getattr(self, "take_" + packet.kind, None)
        if handler:
            handler(packet.payload)
        self.merge(packet.clock, lambda peer: peer in self.clock or len(self.clock) < MOST_CLOCK)

    def take_LOBBY_UPDATE(self, payload):
        """5.1.13, 5.2.5, 5.2.6."""
        lobby = payload["lobbyState"]
        self.players = [profile["playerId"] for profile in lobby["connectedPlayers"]]
        if lobby["selectedScenarioId"] != self.scenario_id:
            self.scenario_id = lobby["selectedScenarioId"]
            self.roles = {}
            self.ready = {}
        self.roles = {player: role for player, role in self.roles.items() if player in self.players}
        self.ready = {player: True for player in self.ready if player in self.players}
        self.show(
            "lobby", scenarioID=self.scenario_id, difficulty=lobby["difficultyLevel"], players=list(self.players))
        self.show("roster", players=list(self.players))
        if self.id in self.players and not self.has_seat:
            self.seated()
            if self.has_resumed:
                self.do("resumed")
        self.show_phase()
        self.count_votes()

    def show_phase(self):
        """5.3.7 before the game."""
        phase = self.phase
        if phase in BEFORE_THE_GAME:
            phase = "WAITING" if self.ready.get(self.id) else "ROLE_SELECTION" if self.roles else "LOBBY"
        self.show("phase", phase=phase)

    def take_ROLE_ASSIGNED(self, payload):
        player, role = payload["playerId"], payload["roleId"]
        if self.roles.get(player) != role:
            self.ready.pop(player, None)  # 5.3.5
            self.roles[player] = role
            self.do("role", player=player, role=role)
            self.show_phase()

    def take_PLAYER_READY(self, payload):
        player, is_ready = payload["playerId"], payload["isReady"]
        if self.ready.get(player, False) != is_ready:
            self.ready[player] = True
            if not is_ready:
                del self.ready[player]
            self.do("ready", player=player, ready=is_ready)
            self.show_phase()

    def take_START_GAME(self, payload):
        self.phase = "ACTIVE"
        self.show_phase()

    take_GAME_STARTED = take_START_GAME

    def take_TURN_ADVANCED(self, payload):
        self.turn = payload["nextPlayerId"]
        self.pending = payload["pendingLine"]
        self.show("turn", player=self.turn)
        if self.pending:
            self.keep(self.pending)

    def keep(self, line):
        """5.4.4, 8.12: remembers a line that is not committed, and shows what we may show of it."""
        self.private.pop(line["id"], None)
        self.private[line["id"]] = line
        if len(self.private) > MOST_PRIVATE:
            del self.private[next(iter(self.private))]
        is_mine = line["assignedToPlayerId"] == self.id
        self.show("screen", lineID=line["id"], text=line["textNative"] if is_mine else None)

    def take_DIALOG_LINE_ADDED(self, payload):
        if payload["line"]["visibility"] == "COMMITTED":
            self.commit(payload["line"])
        else:
            self.keep(payload["line"])

    def take_LINE_COMPLETED(self, payload):
        """5.4.7: usually it is in the history by now."""
        if payload["lineId"] in self.private:
            self.commit(self.private[payload["lineId"]])

    take_LINE_SKIPPED = take_LINE_COMPLETED

    def commit(self, line):
        self.private.pop(line["id"], None)
        if self.pending and self.pending["id"] == line["id"]:
            self.pending = None
        if line["id"] not in self.history:
            self.history.append(line["id"])
            self.do("committed", index=len(self.history) - 1, lineID=line["id"], text=line["textNative"])

    def take_LEADERBOARD_UPDATE(self, payload):
        self.show("leaderboard", rows=rows(payload["leaderboard"]["rankings"]))

    # Votes (5.5)

    def take_VOTE_REQUEST(self, payload):
        if self.phase == "ACTIVE":
            self.open_vote(payload["proposerId"], payload["action"], {payload["proposerId"]: True})

    def open_vote(self, proposer, action, cast):
        self.vote = {"proposer": proposer, "action": action, "cast": cast}
        self.phase = "VOTING"
        self.set_timer("vote", self.now + VOTE_TIME, lambda: self.close_vote(False))
        self.show_phase()
        for voter, yes in cast.items():
            self.do("vote", action=action, voter=voter, yes=yes)
        self.count_votes()

    def take_VOTE_CAST(self, payload):
        voter = payload["voterId"]
        if self.vote and voter not in self.vote["cast"] and voter in self.players:
            self.vote["cast"][voter] = payload["vote"]
            self.do("vote", action=self.vote["action"], voter=voter, yes=payload["vote"])
            self.count_votes()

    def count_votes(self):
        """5.5.5, 5.5.6."""
        if self.vote and False in self.vote["cast"].values():
            self.close_vote(False)
        elif self.vote and all(self.vote["cast"].get(player) for player in self.players):
            self.close_vote(True)

    def close_vote(self, passed):
        action = self.vote["action"]
        self.drop_vote()
        self.phase = "ACTIVE"
        self.do("voteResult", action=action, passed=passed)
        self.show_phase()

    def drop_vote(self):
        self.vote = None
        self.cancel_timer("vote")

    # Snapshots (5.7.4 to 5.7.6, 5.8.2)

    def take_FULL_STATE_SNAPSHOT(self, payload):
        state = payload["state"]
        if not self.has_seat:
            self.has_resumed = True
        if state["committedHistory"]:
            self.history = [line["id"] for line in state["committedHistory"]]
            self.do("historyReplaced", lineIDs=list(self.history))
        self.apply_roles(state)
        self.drop_vote()
        self.phase = "ACTIVE" if state["currentPhase"] == "VOTING" else state["currentPhase"]
        self.turn, self.pending = state["currentTurnPlayerId"], state["pendingLine"]
        if state["currentPhase"] == "VOTING" and state["pendingVote"]:
            vote = state["pendingVote"]
            self.open_vote(vote["proposerId"], vote["action"], {vote["proposerId"]: True, **state["voteResults"]})
        self.show_phase()
        self.show("turn", player=self.turn)
        if self.pending:
            self.keep(self.pending)
        if state["sessionLeaderboard"] and state["sessionLeaderboard"]["rankings"]:
            self.show("leaderboard", rows=rows(state["sessionLeaderboard"]["rankings"]))
        if state["sessionSummary"]:
            self.show_summary(state["sessionSummary"])

    def apply_roles(self, state):
        if state["scenario"]:
            self.scenario_id = state["scenario"]["id"]
        for player, role in state["roles"].items():
            if self.roles.get(player) != role["id"]:
                self.do("role", player=player, role=role["id"])
        if state["roles"]:
            self.roles = {player: role["id"] for player, role in state["roles"].items()}
        if state["lobbyPlayers"]:
            self.players = [player["peerId"] for player in state["lobbyPlayers"]]
            self.ready = {player["peerId"]: True for player in state["lobbyPlayers"] if player["isReady"]}

    def show_summary(self, summary):
        self.show(
            "summary", lines=summary["totalLines"], accuracyPermille=permille(summary["overallAccuracy"]),
            durationMilliseconds=summary["durationMs"], rows=rows(summary["playerRankings"]),
            achievements=[achievement["id"] for achievement in summary["achievementsUnlocked"]])
