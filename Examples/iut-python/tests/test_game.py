"""A host and clients of ours, with each other, on a perfect platform."""

import unittest

from world import World

READ = {"accuracyPermille": 1000, "errorCount": 0, "durationMilliseconds": 2000}


class GameTests(unittest.TestCase):
    def test_lobby(self):
        world = World(clients=3)
        world.lobby()
        world.host.user("setLobbyScenario", scenario="the-heist")
        world.host.user("setLobbyDifficulty", difficulty="hard")
        expected = {
            "name": "lobby", "scenarioID": "the-heist", "difficulty": "hard",
            "players": ["host", "client-1", "client-2", "client-3"]}
        for device in world.devices:
            self.assertEqual(device.last("lobby"), expected)
            self.assertEqual(device.last("linkState")["linkState"], "CONNECTED")

    def test_ninth_peer_is_refused_three_times(self):
        world = World(clients=8)
        world.lobby()
        world.run(20_000)
        self.assertEqual(len(world.host.last("lobby")["players"]), 8)
        self.assertEqual(world.clients[7].last("sessionEnded"), None)  # it finds no advertising

    def test_whole_game(self):
        for att_mtu in (23, 50, 185):
            with self.subTest(att_mtu=att_mtu):
                self.whole_game(att_mtu)

    def whole_game(self, att_mtu):
        world = World(clients=1, total_lines=4, att_mtu=att_mtu)
        world.host.refusals = 7
        world.game()
        host, client = world.devices
        world.run(3000)
        self.assertEqual(client.last("phase")["phase"], "ACTIVE")
        self.assertEqual(client.last("screen"), {"lineID": "line-1", "text": None, "name": "screen"})
        host.user("completeLine", **READ)
        world.run(3000)
        self.assertEqual(client.last("turn")["player"], "client-1")
        self.assertIsNotNone(client.last("screen")["text"])
        self.assertIsNone(host.last("screen")["text"])
        client.user("completeLine", **READ)
        world.run(3000)
        host.user("skipLine")
        world.run(3000)
        client.user("completeLine", accuracyPermille=850, errorCount=1, durationMilliseconds=900)
        world.run(5000)
        self.assertEqual(client.all("committed"), host.all("committed"))
        self.assertEqual(host.last("score"), {"player": "client-1", "xp": 25 + 8 + 10 + 2 + 5, "name": "score"})
        for device in world.devices:
            self.assertEqual(device.last("phase")["phase"], "FINISHED")
        self.assertEqual(client.last("summary"), host.last("summary"))
        self.assertEqual(host.last("summary")["accuracyPermille"], 950)
        self.assertEqual(host.last("violation"), None)
        self.assertEqual(client.last("refused"), None)

    def test_vote(self):
        world = World(clients=2)
        world.lobby()
        world.host.user("setLobbyScenario", scenario="coffee-shop")
        world.host.user("startLobbyGame")
        world.clients[0].user("proposeVote", vote="CHANGE_SCENE")
        self.assertEqual({device.last("phase")["phase"] for device in world.devices}, {"VOTING"})
        world.clients[1].user("castVote", yes=True)
        world.host.user("castVote", yes=True)
        for device in world.devices:
            self.assertEqual(device.last("voteResult")["passed"], True)
            self.assertEqual(device.last("lobby")["scenarioID"], "the-heist")
        world.host.user("proposeVote", vote="END_GAME")
        world.run(31_000)
        for device in world.devices:
            self.assertEqual(device.last("voteResult")["passed"], False)
            self.assertEqual(device.last("phase")["phase"], "ACTIVE")

    def test_loss_and_return(self):
        world = World(clients=1)
        world.game()
        host, client = world.devices
        host.user("completeLine", **READ)
        client.user("completeLine", **READ)
        host.user("completeLine", **READ)
        client.cut(0, 0x08, 0x08)
        world.run(20)
        self.assertEqual(client.last("linkState")["linkState"], "RECONNECTING")
        self.assertEqual(host.last("roster")["players"], ["host"])
        self.assertEqual(host.last("turn")["player"], "host")
        world.run(3000)
        self.assertEqual(client.last("linkState")["linkState"], "CONNECTED")
        self.assertEqual(len(client.all("resumed")), 1)
        self.assertEqual(client.last("historyReplaced")["lineIDs"], ["line-1", "line-2", "line-3"])
        self.assertEqual(host.last("roster")["players"], ["host", "client-1"])
        host.user("completeLine", **READ)
        client.user("completeLine", **READ)
        self.assertEqual(host.last("score")["xp"], 25 + 27)

    def test_return_to_another_address(self):
        """5.7.7: the host was found before its scan response had come, and has another address when its link is lost."""
        world = World(clients=1)
        world.hides_names = True
        world.game()
        host, client = world.devices
        client.cut(0, 0x08, 0x08)
        host.address, world.hides_names = "C0:00:00:00:00:77", False
        world.run(3000)
        self.assertEqual(client.last("linkState")["linkState"], "CONNECTED")
        self.assertEqual(len(client.all("resumed")), 1)

    def test_alone(self):
        """A host whose clients are gone has one line after the other, and shows each as a turn."""
        world = World(clients=1)
        world.game()
        host, client = world.devices
        client.is_gone = True
        client.cut(0, 0x08, 0x08)
        world.run(20)
        turns = len(host.all("turn"))
        for line in 1, 2:
            host.user("completeLine", **READ)
            self.assertEqual(len(host.all("turn")), turns + line)

    def test_window(self):
        world = World(clients=1)
        world.game()
        host, client = world.devices
        host.is_gone = True
        client.cut(0, 0x08, 0x08)
        world.run(29_000)
        self.assertEqual(client.last("linkState")["linkState"], "RECONNECTING")
        world.run(1_100)
        self.assertEqual(client.last("linkState")["linkState"], "DISCONNECTED")
        self.assertEqual((client.is_scanning, client.attempt, client.timers), (False, None, {}))

    def test_host_leaves(self):
        world = World(clients=1)
        world.game()
        world.host.user("leave")
        world.run(6000)
        self.assertEqual(world.clients[0].last("phase")["phase"], "FINISHED")
        self.assertEqual(world.clients[0].last("linkState")["linkState"], "DISCONNECTED")
        self.assertEqual((world.host.peers, world.host.timers), ({}, {}))


if __name__ == "__main__":
    unittest.main()
