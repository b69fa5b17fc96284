import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import Expectations
import Judging
import Platform
import SimKernel
import Testing

@Suite("Oracles of the lobby and its links, by hand-written traces")
struct LobbyOracleTests {
  /// A host and two clients that are in its lobby.
  private func lobby(clients: Int = 2) -> TraceScript {
    var script = TraceScript(clients: clients)
    for client in 1...clients { script.connect(client) }
    script.lobby(Array(1...clients), on: Array(0...clients))
    for client in 1...clients { script.report(client, .linkState("CONNECTED")) }
    return script
  }

  @Test("A client that advertises, or a second link of a client, makes two hosts")
  func oneHost() {
    var script = lobby()
    equal(script.result(OneHostPerLobby.self).verdict, .pass)
    var second = script
    second.add(1, .effect(.advertise(AdvertisementRequest(localName: "x", serviceUUIDs: []))))
    equal(second.result(OneHostPerLobby.self).verdict, .fail)
    script.add(1, .input(.connected(LinkID(2), peer: TraceScript.address(0))))
    equal(script.result(OneHostPerLobby.self).verdict, .fail)
  }

  @Test("Seven clients are a lobby, eight are too many, and nobody is in it twice")
  func capacity() {
    var script = TraceScript(clients: 8)
    script.lobby(Array(1...7), on: [0])
    equal(script.result(RosterWithinCapacity.self).verdict, .pass)
    var twice = script
    twice.lobby([1, 1], on: [0])
    equal(twice.result(RosterWithinCapacity.self).verdict, .fail)
    script.lobby(Array(1...8), on: [0])
    equal(script.result(RosterWithinCapacity.self).verdict, .fail)
  }

  @Test("Until a host is told that a client is gone, nobody owes anything; then the margin is left")
  func ghosts() {
    var script = lobby()
    script.add(1, .fault(.vanish))
    script.wait(60_000)
    equal(script.result(NoGhostsAfterSupervisionTimeout.self).verdict, .none)
    script.disconnect(1)
    script.wait(2_900)
    equal(script.result(NoGhostsAfterSupervisionTimeout.self).verdict, .inconclusive)
    var gone = script
    gone.lobby([2], on: [0, 2])
    gone.wait(4_000)
    equal(gone.result(NoGhostsAfterSupervisionTimeout.self).verdict, .pass)
    var again = gone
    again.lobby([1, 2], on: [0])
    // The lobby and the roster show it.
    equal(again.result(NoGhostsAfterSupervisionTimeout.self).findings.map(\.device), [0, 0])
    // Who shows what its host still shows answers for nothing.
    var told = script
    script.wait(200)
    equal(script.result(NoGhostsAfterSupervisionTimeout.self).findings.map(\.device), [0])
    told.lobby([2], on: [0])
    told.wait(4_000)
    equal(told.result(NoGhostsAfterSupervisionTimeout.self).findings.map(\.device), [2])
  }

  /// The first client has lost its link, and has another one after a second.
  private func linkedAgain() -> TraceScript {
    var script = lobby()
    script.disconnect(1)
    script.wait(1_000)
    script.connect(1, link: 2)
    return script
  }

  @Test("A client that is back is no ghost")
  func ghostsThatReturn() {
    var script = linkedAgain()
    script.wait(10_000)
    equal(script.result(NoGhostsAfterSupervisionTimeout.self).verdict, .none)
  }

  @Test("A witness owes nothing while the news is under way to it, and is judged when it has come")
  func ghostsOnASlowLink() {
    var script = lobby()
    script.disconnect(1)
    script.lobby([2], on: [0])
    script.notify(2, [1, 2, 3])
    script.wait(30_000)
    expect(script.result(NoGhostsAfterSupervisionTimeout.self).findings.isEmpty)
    script.arrive(2, [1, 2, 3])
    script.wait(3_100)
    equal(script.result(NoGhostsAfterSupervisionTimeout.self).findings.map(\.device), [2])
  }

  @Test("A client that shows an old lobby after ten seconds fails; a change in between starts over")
  func convergence() {
    var script = lobby()
    script.lobby([1, 2], on: [0], difficulty: "hard")
    script.wait(9_000)
    script.lobby([1, 2], on: [0], difficulty: "easy")
    script.wait(9_000)
    var late = script
    script.lobby([1, 2], on: [1, 2], difficulty: "easy")
    script.wait(20_000)
    equal(script.result(LobbyStateConverges.self).verdict, .pass)
    late.lobby([1, 2], on: [1], difficulty: "easy")
    late.wait(2_000)
    let result = late.result(LobbyStateConverges.self)
    equal(result.verdict, .fail)
    equal(result.findings.map(\.device), [2])
    equal(result.findings.first?.instant, .zero + .milliseconds(19_000))
  }

  @Test("Every client of the lobby must hear the start; one whose link ends need not")
  func start() {
    var script = lobby()
    script.report(0, .phase("ACTIVE"))
    script.report(1, .packetReceived(LinkID(1), type: "START_GAME", senderID: "h", json: "{}"))
    script.report(1, .phase("ACTIVE"))
    var lost = script
    lost.disconnect(2)
    lost.wait(11_000)
    equal(lost.result(StartReachesAll.self).verdict, .pass)
    // Playing along is not enough: the start itself must have come.
    script.report(2, .phase("ACTIVE"))
    script.wait(11_000)
    let result = script.result(StartReachesAll.self)
    equal(result.verdict, .fail)
    equal(result.findings.map(\.device), [2])
  }

  @Test("A client that is back in time must resume; one that comes late, or has left, need not")
  func resuming() {
    var script = lobby()
    script.report(1, .phase("ACTIVE"))
    script.disconnect(1)
    var late = script
    late.wait(25_000)
    late.connect(1, link: 2)
    late.wait(20_000)
    equal(late.result(ReconnectedPeersResume.self).verdict, .none)
    script.wait(5_000)
    script.connect(1, link: 2)
    var resumed = script
    resumed.report(1, .resumed)
    resumed.wait(20_000)
    equal(resumed.result(ReconnectedPeersResume.self).verdict, .pass)
    script.wait(16_000)
    equal(script.result(ReconnectedPeersResume.self).verdict, .fail)
  }

  @Test("A snapshot whose rest comes too late is lost, and nobody must resume by it")
  func lateSnapshots() {
    let script = linkedAgain()
    for pause in [Int64(1_000), 5_200] {
      var paused = script
      for index in [UInt8(0), 1] {
        paused.wait(index == 0 ? 100 : pause)
        let octets: [UInt8] = [0, 1, index, 2, 0x7B]
        paused.add(1, .input(.valueReceived(LinkID(2), characteristic: TraceScript.characteristic, octets: octets)))
      }
      paused.wait(16_000)
      equal(paused.result(ReconnectedPeersResume.self).findings.isEmpty, (pause > 5_000))
    }
  }

  @Test("A client without its host must give up after the window")
  func givingUp() {
    var script = lobby()
    script.disconnect(1)
    script.report(1, .linkState("RECONNECTING"))
    script.wait(30_000)
    var over = script
    over.report(1, .linkState("DISCONNECTED"))
    over.wait(10_000)
    equal(over.result(LostSessionsEnd.self).verdict, .pass)
    script.wait(5_100)
    equal(script.result(LostSessionsEnd.self).verdict, .fail)
  }
}
