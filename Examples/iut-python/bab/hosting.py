"""The host's links and seats: who is there, and what everybody is told about it (bab.md 5.1, 5.7, 7)."""

from .app import SECOND, App, Ignored
from .packets import encode
from .points import Stats

JOIN_TIME = 15 * SECOND  # 8.3
MEMORY = 45 * SECOND  # 8.2
FAREWELL = 5 * SECOND  # how long a host that leaves waits for what is queued
HOST_ONLY = {
    "DIALOG_LINE_ADDED", "FULL_STATE_SNAPSHOT", "NAVIGATION_SYNC", "GAME_STARTED", "TURN_ADVANCED",
    "LEADERBOARD_UPDATE", "LOBBY_UPDATE", "START_GAME"}


class Player:
    """A place in the game: of one who is seated, or of one who is remembered."""

    def __init__(self, peer_id, name, place, link):
        self.id = peer_id
        self.name = name
        self.place = place
        self.link = link  # None for the host, and while remembered
        self.role = None
        self.is_ready = False
        self.stats = Stats()


class Hosting(App):
    """Links and seats. `Lobby` (lobby.py) adds scenario and roles, `Game` (game.py) turns, votes and the end."""

    role = "host"

    def __init__(self, hello):
        super().__init__(hello)
        self.is_hosting = False
        self.is_leaving = False
        self.is_advertising = False
        self.has_radio = True
        self.has_published = False
        self.phase = "LOBBY"  # LOBBY, ACTIVE, VOTING, FINISHED; what is shown before the game follows 5.3.7
        self.scenario_id = ""
        self.difficulty = "normal"
        self.players = [Player(self.id, self.name, 0, None)]
        self.remembered = {}
        self.last_place = 0

    # Who is there

    @property
    def me(self):
        return self.players[0]

    @property
    def seated(self):
        return self.players[1:]

    def player(self, peer_id):
        for player in self.players:
            if player.id == peer_id:
                return player
        return None

    def knows(self, peer_id):
        """5.6.5."""
        return (
            self.player(peer_id) is not None or peer_id in self.remembered
            or any(link.peer == peer_id for link in self.links.values()))

    @property
    def in_lobby(self):
        return self.phase == "LOBBY"

    # The platform

    def user_startHosting(self):
        if self.is_hosting:
            return
        if self.is_leaving:
            # Who is here again has no more time for those whom it has left.
            self.hang_up()
        self.is_hosting = True
        self.is_leaving = False
        self.show("linkState", linkState="CONNECTED")
        self.show_lobby()
        # 2.1: the service is there once for all lobbies.
        if self.has_published:
            self.is_advertising = False
            self.advertise()
        else:
            self.open_shop()
        self.beat()

    def open_shop(self):
        """5.1.1: first the service, then the advertising."""
        self.has_published = True
        characteristics = [{"uuid": uuid, "properties": bits} for uuid, bits in self.dialect.characteristics]
        self.do("publish", service=self.dialect.service, characteristics=characteristics)
        self.is_advertising = False
        self.advertise()

    def advertise(self, again=False):
        """5.1.2, 5.1.3, 5.2.9, 5.7.3: advertises while somebody may still come, and only then."""
        held = [link for link in self.links.values() if not link.closing]
        is_free = 1 + len(held) < self.dialect.capacity
        wanted = self.is_hosting and self.has_radio and is_free and (self.in_lobby or bool(self.remembered))
        if wanted and (again or not self.is_advertising):
            local_name = self.dialect.local_name(self.id, self.name)
            self.do("advertise", localName=local_name, services=[self.dialect.service])
        elif not wanted and self.is_advertising:
            self.do("stopAdvertising")
        self.is_advertising = wanted

    def on_advertisingStarted(self, given):
        if not given["started"] and self.is_advertising:
            self.is_advertising = False
            self.set_timer("advertise", self.now + SECOND, self.advertise)

    def on_radioPower(self, given):
        self.has_radio = given["on"]
        if not self.has_radio:
            self.has_published = False
            self.is_advertising = False
            for link in self.links.values():
                link.closing = True
            for link in list(self.links.values()):
                self.lose(link)
        elif self.is_hosting:
            self.open_shop()

    def on_connected(self, given):
        link = self.add_link(given["link"], given["address"])
        held = [other for other in self.links.values() if not other.closing]
        if not self.is_hosting or len(held) > self.dialect.capacity - 1:
            self.end_link(link)  # 5.1.10
        else:
            self.set_timer(("join", link.number), self.now + JOIN_TIME, lambda: self.end_link(link))
        self.advertise(again=True)

    def on_disconnected(self, given):
        link = self.links.get(given["link"])
        if link:
            self.lose(link)

    def lose(self, link):
        """5.7.1: a link is over, and so is its player's seat."""
        self.cancel_timer(("join", link.number))
        self.forget_link(link)
        player = self.player_of(link)
        if player:
            self.unseat(player)
        self.advertise()

    def player_of(self, link):
        for player in self.seated:
            if player.link is link:
                return player
        return None

    def on_subscribed(self, given):
        link = self.links.get(given["link"])
        if link and given["characteristic"] == self.dialect.state:
            link.may_send = given["on"]
            self.pump(link)

    def on_valueReceived(self, given):
        link = self.links.get(given["link"])
        if link and not link.closing and not self.is_leaving and given["characteristic"] == self.dialect.command:
            self.receive(link, bytes.fromhex(given["octets"]))

    def transmit(self, link, value):
        self.do("notify", link=link.number, characteristic=self.dialect.state, octets=value.hex())

    # Sending

    def tell(self, link, kind, payload):
        """A packet to one link."""
        self.post(link, self.stamped(kind, payload))

    def tell_all(self, kind, payload):
        """One packet to every client that has a seat (5.6.1)."""
        if self.seated:
            packet = self.stamped(kind, payload)
            octets = encode(packet)
            for player in self.seated:
                self.post(player.link, packet, octets)

    def tell_lobby(self):
        """5.2.4; in `app` the lobby can be read, too (2.9)."""
        self.show_lobby()
        if not self.seated:
            return
        profiles = [{"playerId": player.id, "displayName": player.name} for player in self.players]
        lobby = {
            "selectedScenarioId": self.scenario_id, "difficultyLevel": self.difficulty, "connectedPlayers": profiles}
        packet = self.stamped("LOBBY_UPDATE", {"lobbyState": lobby})
        octets = encode(packet)
        for player in self.seated:
            self.post(player.link, packet, octets)
        if self.dialect.service.startswith("BAB10000") and len(octets) <= 512:
            self.do("setValue", characteristic=self.dialect.state, octets=octets.hex())

    def beat(self):
        """8.8."""
        if self.heartbeat and self.is_hosting:
            self.tell_all("HEARTBEAT", {})
            self.set_timer("heartbeat", self.now + self.heartbeat, self.beat)

    # The screen

    def show_lobby(self):
        ids = [player.id for player in self.players]
        self.show("lobby", scenarioID=self.scenario_id, difficulty=self.difficulty, players=ids)
        self.show("roster", players=ids)
        self.show_phase()

    def show_phase(self):
        """5.3.7."""
        phase = self.phase
        if phase == "LOBBY" and self.me.is_ready:
            phase = "WAITING"
        elif phase == "LOBBY" and any(player.role for player in self.players):
            phase = "ROLE_SELECTION"
        self.show("phase", phase=phase)

    # Packets from clients

    def accept(self, link, packet):
        if packet.kind == "HANDSHAKE":
            self.shake(link, packet)
        elif link.peer is None:
            raise Ignored("BAB 7.6", packet.kind + " before a HANDSHAKE")
        elif packet.sender != link.peer:
            raise Ignored("BAB 7.2", "%s speaks for %s" % (link.peer, packet.sender))
        elif packet.kind in HOST_ONLY:
            raise Ignored("BAB 7.1", packet.kind + " from a client")
        else:
            self.in_order(link, packet)
            self.obey(link, packet)
        self.merge(packet.clock, self.knows)

    def shake(self, link, packet):
        """A HANDSHAKE: binds an id to a link, once."""
        participant = packet.payload["participant"]
        peer = participant["id"]
        if link.peer is not None and peer != link.peer:
            raise Ignored("BAB 7.4", "%s is %s now" % (link.peer, peer))
        if peer != packet.sender:
            raise Ignored("BAB 7.2", "%s shakes hands for %s" % (packet.sender, peer))
        if participant["isHost"] or peer == self.id:
            raise Ignored("BAB 7.10", peer + " claims to be a host")
        if not peer:
            raise Ignored("BAB 1.5", "an empty id")
        if link.peer is not None:
            self.in_order(link, packet)
            return
        for other in list(self.links.values()):
            if other is not link and not other.closing and other.peer == peer:
                if other.address != link.address:
                    self.end_link(link)
                    raise Ignored("BAB 7.9", peer + " is on another link")
                self.end_link(other)  # 5.7.11
                self.cancel_timer(("join", other.number))
                player = self.player_of(other)
                if player:
                    self.unseat(player)
        link.peer = peer
        link.last_count = packet.count
        me = {"id": self.id, "name": self.name, "role": self.packed_role(self.me), "isHost": True}
        self.tell(link, "HANDSHAKE", {"participant": me})

    def obey(self, link, packet):
        """A packet of a client that has shaken hands."""
        if packet.kind == "CLIENT_JOIN":
            self.own(packet, packet.payload["profile"]["playerId"])
            self.join(link, packet.payload["profile"])
        elif packet.kind != "HEARTBEAT":
            handler = getattr(self, "take_" + packet.kind, None)
            player = self.player_of(link)
            if handler is None or player is None:
                raise Ignored()
            handler(player, packet)

    @staticmethod
    def own(packet, named):
        """7.7: clients speak for themselves."""
        if named != packet.sender:
            raise Ignored("BAB 7.7", "%s for %s from %s" % (packet.kind, named, packet.sender))

    # Seats

    def join(self, link, profile):
        """5.1.7, 5.2.10, 5.7.4: a seat, or the end of the link."""
        if self.player_of(link):
            raise Ignored()
        self.cancel_timer(("join", link.number))
        known = self.remembered.get(link.peer)
        if len(self.players) >= self.dialect.capacity or not (self.in_lobby or known):
            self.end_link(link)
            return
        if known:
            player, player.link, player.name = known, link, profile["displayName"]
            del self.remembered[link.peer]
            self.cancel_timer(("memory", link.peer))
            if any(other.role == player.role for other in self.players):
                player.role = None
        else:
            self.last_place += 1
            player = Player(link.peer, profile["displayName"], self.last_place, link)
        self.players = sorted(self.players + [player], key=lambda player: player.place)
        if known:
            self.send_snapshot(player)
        self.tell_lobby()
        self.brief(player, known is not None)
        self.advertise()

    def brief(self, newcomer, is_back):
        """5.1.12 for a newcomer; 5.3.4 for the others, when one comes back with a role."""
        for player in self.players:
            if player.role and is_back and player is newcomer:
                self.show_role(player)
                self.tell_all("ROLE_ASSIGNED", {"playerId": player.id, "roleId": player.role})
            elif player.role:
                self.tell(newcomer.link, "ROLE_ASSIGNED", {"playerId": player.id, "roleId": player.role})
        for player in self.players:
            if player.is_ready:
                self.tell(newcomer.link, "PLAYER_READY", {"playerId": player.id, "isReady": True})

    def unseat(self, player):
        """5.7.1, 5.7.2: out of the roster, and remembered for a while."""
        index = self.players.index(player)
        self.players.remove(player)
        player.link = None
        player.is_ready = False
        if self.is_leaving:
            return
        self.remembered[player.id] = player
        self.set_timer(("memory", player.id), self.now + MEMORY, lambda: self.forget(player))
        self.tell_lobby()
        self.seat_lost(player, index)

    def forget(self, player):
        self.remembered.pop(player.id, None)
        self.advertise()

    def seat_lost(self, player, index):
        """What a game does when a player is gone who had this place in the roster."""
