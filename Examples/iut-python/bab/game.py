"""The host's game: turns, votes, points and the end (bab.md 5.2 to 5.5, 5.8, 9)."""

from .app import SECOND, Ignored
from .hosting import FAREWELL, Player
from .jsontext import float32
from .lobby import Lobby
from .packets import encode
from .points import achievements, compared, overall, permille, ranking, rows
from .snapshots import reduced, snapshot, summary

VOTE_TIME = 30_000_000_000  # 8.4
SKIPPED = {"errorCount": 0, "accuracy": 0.0, "wordErrors": [], "skipped": True, "duration": 0}


class Vote:
    """A vote that is open."""

    def __init__(self, proposer, action, required):
        self.proposer = proposer
        self.action = action
        self.required = required
        self.cast = {proposer: True}  # 5.5.3


class Game(Lobby):
    """A whole host."""

    def __init__(self, hello):
        super().__init__(hello)
        self.last_line = 0  # 5.4.10: never goes back
        self.firsts = set()  # players and scenarios of completed lines (6.1)
        self.reset()

    def reset(self):
        """As it is before a game."""
        self.phase = "LOBBY"
        self.history = []
        self.turn = None  # a player
        self.pending = None  # a line
        self.made = 0  # lines of this game
        self.vote = None
        self.started = 0
        self.summary = None

    @property
    def is_on(self):
        return self.phase in ("ACTIVE", "VOTING")

    # The start

    def user_startLobbyGame(self):
        """5.2.7, 5.2.8."""
        if self.in_lobby and self.seated and self.scenario(self.scenario_id):
            self.begin("START_GAME")

    def user_startMultiplayerGame(self):
        """5.3.8, 5.3.9."""
        if self.in_lobby and self.seated and all(player.role and player.is_ready for player in self.players):
            self.begin("GAME_STARTED")

    def begin(self, kind):
        """Either start: the game is on, and the first player's turn (5.4.1)."""
        self.reset()
        self.phase = "ACTIVE"
        self.started = self.now
        self.tell_all(kind, {})
        self.show_phase()
        self.advertise()
        self.take_turn(self.me)

    # Turns

    def take_turn(self, player):
        """5.4.2, 5.4.3: makes a line for a player and tells everybody whose turn it is."""
        self.turn = player
        self.pending = self.make_line(player)
        self.shown.pop("turn", None)  # another line is another turn, whoever had the one before
        self.announce()
        self.show_turn()

    def make_line(self, player):
        self.last_line += 1
        role = self.packed_role(player)
        entry = self.script[self.made % len(self.script)] if self.script else {
            "native": "Frase %d" % (self.made + 1), "translated": "Sentence %d" % (self.made + 1)}
        self.made += 1
        line = {
            "id": "line-%d" % self.last_line, "speakerId": player.id, "roleName": role["name"] if role else "",
            "textNative": entry["native"], "textTranslated": entry["translated"], "timestamp": self.wall_time,
            "assignedToPlayerId": player.id, "visibility": "PRIVATE", "pronunciationResult": None}
        self.do("lineGenerated", lineID=line["id"], player=player.id, text=line["textNative"])
        return line

    def pending_for(self, player):
        """The pending line as this player may see it (5.4.3, 5.7.10)."""
        if self.pending is None or player is self.turn:
            return self.pending
        return dict(self.pending, textNative="", textTranslated="")

    def announce(self):
        """TURN_ADVANCED: one packet, whose line has its texts on one link only."""
        if self.seated:
            packet = self.stamped("TURN_ADVANCED", {"nextPlayerId": self.turn.id, "pendingLine": None})
            for player in self.seated:
                packet.payload["pendingLine"] = self.pending_for(player)
                self.post(player.link, packet)

    def show_turn(self):
        self.show("turn", player=self.turn and self.turn.id)
        if self.pending:
            text = self.pending["textNative"] if self.turn is self.me else None
            self.show("screen", lineID=self.pending["id"], text=text)

    def seat_lost(self, player, index):
        """5.4.8, 5.5.6."""
        if self.turn is player and self.is_on:
            self.take_turn(self.players[index % len(self.players)])
        self.count_votes()

    def take_LINE_COMPLETED(self, player, packet):
        result = packet.payload["result"]
        self.check_line(player, packet.payload["lineId"])
        if not (0 <= result["accuracy"] <= 1 and 0 <= result["errorCount"] <= 10_000
                and 0 <= result["duration"] <= 86_400_000):
            raise Ignored("BAB 7.11", "a result out of bounds")
        self.commit(SKIPPED if result["skipped"] else result)  # 5.4.13

    def take_LINE_SKIPPED(self, player, packet):
        self.check_line(player, packet.payload["lineId"])
        self.commit(SKIPPED)

    def check_line(self, player, line_id):
        """5.4.5, 5.4.11, 7.3."""
        if not self.is_on or self.pending is None or self.pending["id"] != line_id:
            raise Ignored()
        if player is not self.turn:
            raise Ignored("BAB 7.3", "%s for %s" % (player.id, self.turn.id))

    def user_completeLine(self, accuracyPermille, errorCount, durationMilliseconds):
        if self.is_on and self.turn is self.me:
            self.commit({
                "errorCount": errorCount, "accuracy": float32(accuracyPermille / 1000), "wordErrors": [],
                "skipped": False, "duration": durationMilliseconds})

    def user_speak(self, text):
        if self.is_on and self.turn is self.me:
            self.commit(compared(self.pending["textNative"], text, self.dialect.counts_extra_words))

    def user_skipLine(self):
        if self.is_on and self.turn is self.me:
            self.commit(SKIPPED)

    def commit(self, result):
        """5.4.6: the pending line is read or skipped."""
        line = dict(self.pending, visibility="COMMITTED", pronunciationResult=result)
        player, skipped = self.turn, result["skipped"]
        self.history.append(line)
        self.do(
            "lineAccepted", lineID=line["id"], player=player.id, skipped=skipped,
            accuracyPermille=permille(result["accuracy"]))
        self.do("committed", index=len(self.history) - 1, lineID=line["id"], text=line["textNative"])
        self.score(player, result)
        self.tell_all("DIALOG_LINE_ADDED", {"line": line})
        if skipped:
            self.tell_all("LINE_SKIPPED", {"lineId": line["id"]})
        else:
            self.tell_all("LINE_COMPLETED", {"lineId": line["id"], "result": result})
        is_last = len(self.history) == self.total_lines
        if is_last:
            self.pending = None
        else:
            self.take_turn(self.players[(self.players.index(player) + 1) % len(self.players)])
        rankings = ranking(self.players)
        self.tell_all("LEADERBOARD_UPDATE", {"leaderboard": {"rankings": rankings, "updatedAt": self.wall_time}})
        self.do("leaderboard", rows=rows(rankings))
        if is_last:
            self.finish()

    def score(self, player, result):
        """6."""
        if result["skipped"]:
            player.stats.skip()
        else:
            first = (player.id, self.scenario_id) not in self.firsts
            self.firsts.add((player.id, self.scenario_id))
            player.stats.complete(
                self.dialect.points, permille(result["accuracy"]), result["errorCount"], result["duration"],
                len(self.players) > 1, first)
        self.do("score", player=player.id, xp=player.stats.xp)

    # Another line

    def take_GENERATE_REQUEST(self, player, packet):
        if not self.is_on or player is not self.turn:
            raise Ignored()
        self.take_turn(player)  # 5.4.9

    def user_generate(self, prompt):
        if self.is_on and self.turn is self.me:
            self.take_turn(self.me)

    # Votes

    def take_VOTE_REQUEST(self, player, packet):
        self.own(packet, packet.payload["proposerId"])
        if self.phase != "ACTIVE":
            raise Ignored()  # 5.5.1
        self.open_vote(player, packet.payload["action"])

    def user_proposeVote(self, vote):
        if self.phase == "ACTIVE" and vote in ("CHANGE_SCENE", "END_GAME", "SKIP_LINE"):
            self.open_vote(self.me, vote)

    def open_vote(self, player, action):
        """5.5.2."""
        self.vote = Vote(player.id, action, len(self.players))
        self.phase = "VOTING"
        self.tell_all("VOTE_REQUEST", {"proposerId": player.id, "action": action})
        self.set_timer("vote", self.now + VOTE_TIME, lambda: self.close_vote(False))
        self.show_phase()
        self.do("vote", action=action, voter=player.id, yes=True)
        self.count_votes()

    def take_VOTE_CAST(self, player, packet):
        self.own(packet, packet.payload["voterId"])
        if self.vote is None or player.id in self.vote.cast:
            raise Ignored()  # 5.5.4
        self.cast(player, packet.payload["vote"])

    def user_castVote(self, yes):
        if self.vote and self.id not in self.vote.cast:
            self.cast(self.me, yes)

    def cast(self, player, yes):
        self.vote.cast[player.id] = yes
        self.tell_all("VOTE_CAST", {"voterId": player.id, "vote": yes})
        self.do("vote", action=self.vote.action, voter=player.id, yes=yes)
        self.count_votes()

    def count_votes(self):
        """5.5.5."""
        if self.vote is None:
            return
        if False in self.vote.cast.values():
            self.close_vote(False)
        elif all(self.vote.cast.get(player.id) for player in self.players):
            self.close_vote(True)

    def close_vote(self, passed):
        """5.5.7, 5.5.8."""
        action, self.vote = self.vote.action, None
        self.cancel_timer("vote")
        self.phase = "ACTIVE"
        self.do("voteResult", action=action, passed=passed)
        self.show_phase()
        if not passed:
            return
        if action == "END_GAME":
            self.finish()
        elif action == "SKIP_LINE" and self.pending:
            self.commit(SKIPPED)
        elif action == "CHANGE_SCENE" and self.scenarios:
            ids = [scenario["id"] for scenario in self.scenarios]
            place = ids.index(self.scenario_id) if self.scenario_id in ids else -1
            self.select(ids[(place + 1) % len(ids)])
            self.tell_all("NAVIGATION_SYNC", {"screenName": "theater"})

    # The end

    def user_endGame(self):
        if self.is_on:
            self.finish()

    def finish(self):
        """5.8.1, 5.8.2."""
        self.cancel_timer("vote")
        self.vote = self.turn = self.pending = None
        self.phase = "FINISHED"
        earned = achievements(self.players, self.id, self.history, self.earlier_sessions)
        for player in self.seated:
            self.earlier_sessions[player.id] = self.earlier_sessions.get(player.id, 0) + 1
        self.summary = summary(self, [name for name, _ in earned])
        state = snapshot(self, None)
        packet = self.stamped("FULL_STATE_SNAPSHOT", {"state": state}) if self.seated else None
        for player in self.seated:
            self.post_reduced(player, packet)
        self.show("turn", player=None)
        self.show_phase()
        for name, ids in earned:
            for peer in ids:
                self.do("achievement", player=peer, id=name)
        self.do(
            "summary", lines=len(self.history), accuracyPermille=overall(self.players),
            durationMilliseconds=self.summary["durationMs"], rows=rows(self.summary["playerRankings"]),
            achievements=[name for name, _ in earned])
        self.advertise()

    def send_snapshot(self, player):
        """5.7.4, 5.7.5: to one who is back."""
        packet = self.stamped("FULL_STATE_SNAPSHOT", {"state": snapshot(self, player)})
        if self.post_reduced(player, packet):
            for line in self.history:
                self.tell(player.link, "DIALOG_LINE_ADDED", {"line": line})
            leaderboard = {"rankings": ranking(self.players), "updatedAt": self.wall_time}
            self.tell(player.link, "LEADERBOARD_UPDATE", {"leaderboard": leaderboard})

    def post_reduced(self, player, packet):
        """Sends a snapshot, with less in it where it would not fit; whether that was so."""
        whole = packet.payload["state"]
        for state in (whole, reduced(whole, 1), reduced(whole, 2)):
            packet.payload["state"] = state
            octets = encode(packet)
            if self.fits(player.link, octets):
                break
        self.post(player.link, packet, octets)
        packet.payload["state"] = whole
        return state is not whole

    def user_leave(self):
        """5.8.4: the end of the game first; a link goes when it has carried what is queued."""
        if not self.is_hosting:
            return
        self.user_endGame()
        self.is_hosting = False
        self.is_leaving = True
        self.cancel_timer("heartbeat")
        for peer in list(self.remembered):
            self.cancel_timer(("memory", peer))
        self.remembered.clear()
        self.advertise()
        for link in list(self.links.values()):
            self.drained(link)
        self.set_timer("farewell", self.now + FAREWELL, self.hang_up)
        self.show("linkState", linkState="DISCONNECTED")
        self.do("sessionEnded", reason="left")
        self.gone()

    def drained(self, link):
        """What the platform has taken has a second to reach the air before the link is ended."""
        if self.is_leaving and not (link.queue and link.may_send):
            self.set_timer(("hang up", link.number), self.now + SECOND, lambda: self.end_link(link))

    def hang_up(self):
        for link in list(self.links.values()):
            self.end_link(link)

    def lose(self, link):
        self.cancel_timer(("hang up", link.number))
        super().lose(link)
        self.gone()

    def gone(self):
        """The last link of a host that left is over: it may host again."""
        if self.is_leaving and not self.links:
            self.is_leaving = False
            self.cancel_timer("farewell")
            self.players = [Player(self.id, self.name, 0, None)]
            self.last_place = 0
            self.firsts.clear()  # 6.1: within the session
            self.reset()
