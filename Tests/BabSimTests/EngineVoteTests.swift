import AppSeam
import Expectations
import SimKernel
import Testing

@testable import BabSim

@Suite("The engines vote, and play alone")
struct EngineVoteTests {
  static func voteResults(_ device: EngineHarness.Device) -> [Bool] {
    device.reports.compactMap { if case .voteResult(_, let passed) = $0 { passed } else { nil } }
  }

  @Test("A vote passes when all have said yes", arguments: ["SKIP_LINE", "END_GAME", "CHANGE_SCENE"])
  func passes(action: String) {
    let harness = EngineReconnectTests.running(clients: 2)
    harness.user(1, .proposeVote(action))
    harness.run(for: .seconds(1))
    expect(harness.devices.allSatisfy { $0.phase == "VOTING" })
    harness.user(2, .castVote(true))
    harness.run(for: .seconds(1))
    expect(harness.devices.flatMap(Self.voteResults).isEmpty)
    harness.user(0, .castVote(true))
    harness.run(for: .seconds(1))
    expect(harness.devices.map(Self.voteResults) == Array(repeating: [true], count: 3) || action == "END_GAME")
    equal(Self.voteResults(harness.host), [true])
    switch action {
    case "SKIP_LINE":
      expect(harness.devices.allSatisfy { $0.history == ["line-1"] && $0.phase == "ACTIVE" })
    case "END_GAME": expect(harness.devices.allSatisfy { $0.phase == "FINISHED" && $0.summary != nil })
    default:
      equal(harness.host.lobby?.scenarioID, "coffee-shop")
      expect(harness.devices.allSatisfy { $0.lobby == harness.host.lobby && $0.phase == "ACTIVE" })
    }
  }

  @Test("One no ends a vote, and the game goes on")
  func fails() {
    let harness = EngineReconnectTests.running(clients: 2)
    harness.user(0, .proposeVote("END_GAME"))
    harness.run(for: .seconds(1))
    harness.user(2, .castVote(false))
    harness.run(for: .seconds(1))
    equal(harness.devices.map(Self.voteResults), [[false], [false], [false]])
    expect(harness.devices.allSatisfy { $0.phase == "ACTIVE" })
  }

  @Test("A vote that nobody answers fails after thirty seconds, everywhere")
  func timesOut() {
    let harness = EngineReconnectTests.running(clients: 1)
    harness.user(1, .proposeVote("SKIP_LINE"))
    harness.run(for: .seconds(29))
    expect(harness.devices.allSatisfy { $0.phase == "VOTING" })
    harness.run(for: .seconds(2))
    equal(harness.devices.map(Self.voteResults), [[false], [false]])
    expect(harness.devices.allSatisfy { $0.phase == "ACTIVE" })
  }

  @Test("Who leaves is not waited for")
  func voterLeaves() {
    let harness = EngineReconnectTests.running(clients: 2)
    harness.user(0, .proposeVote("SKIP_LINE"))
    harness.run(for: .seconds(1))
    harness.user(1, .castVote(true))
    harness.user(2, .leave)
    harness.run(for: .seconds(1))
    equal(Self.voteResults(harness.host), [true])
    equal(harness.host.history, ["line-1"])
  }

  @Test("Reading goes on while a vote is open")
  func readingInVote() {
    let harness = EngineReconnectTests.running(clients: 1)
    harness.user(1, .proposeVote("END_GAME"))
    harness.run(for: .seconds(1))
    EngineReconnectTests.readLines(2, harness)
    expect(harness.devices.allSatisfy { $0.history == ["line-1", "line-2"] && $0.phase == "VOTING" })
  }

  @Test("Alone: app and user in turn, words one by one, skip, and a summary when saved", arguments: [true, false])
  func solo(save: Bool) {
    let harness = EngineHarness()
    harness.add(ClientEngine(configuration: EngineHarness.configuration(.sdk, "me")), name: "me")
    harness.user(0, .startSolo)
    let me = harness.devices[0]
    expect(me.turn == "me" && me.history == ["line-1"])
    harness.user(0, .speak("un CAFÉ"))
    equal(me.history, ["line-1"])
    harness.user(0, .speak("ehm con leche, por favor."))
    equal(me.history, ["line-1", "line-2", "line-3"])
    expect(me.reports.contains(.lineAccepted(lineID: "line-2", player: "me", skipped: false, accuracyPermille: 833)))
    harness.user(0, .skipLine)
    equal(me.history.count, 5)
    harness.user(0, .endSolo(save: save))
    equal(me.ending, (save ? "saved" : "discarded"))
    equal(me.summary?.lines, (save ? 5 : nil))
    equal(me.summary?.rankings.first?.score, (save ? 18 : nil))
  }
}
