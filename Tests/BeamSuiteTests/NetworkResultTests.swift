import AppSeam
import BeamSuite
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing
import VirtualNetwork

@Suite("Counts of a network in result.json")
struct NetworkResultTests {
  private final class PacketCounter: TraceReader {
    var sent = 0
    var lost = 0
    var wantsNetwork: Bool { true }

    func read(_ record: TraceRecord) {
      guard case .network(.packet(let packet)) = record.event, packet.isOutgoing else { return }
      sent += 1
      if packet.isLost { lost += 1 }
    }
  }

  private func play(_ path: String) throws -> (judgement: Judgement, counter: PacketCounter) {
    let scenario = try ScenarioFile.load(
      Repository.path("Scenarios/beamscribe/\(path).yaml"),
      language: ScenarioLanguage([AppProtocol.beamscribe])
    ).get()
    let (judge, counter) = ([AppProtocol.beamscribe].judge(of: scenario), PacketCounter())
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [judge, counter], engines: [AppProtocol.beamscribe].engines)
    return (try required(judge.judgement), counter)
  }

  private func result(_ judgement: Judgement) throws -> [String: Any] {
    let octets = ResultReport.octets(judgement, repeatLine: "babbench run x")
    return try required(try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any])
  }

  @Test("They are those of the devices together, and of what captures have")
  func counts() throws {
    let (judgement, counter) = try play("gate-and-retry")
    let tree = try result(judgement)
    let network = try required(tree["network"] as? [String: Int])
    let devices = try required(tree["devices"] as? [[String: Any]]).compactMap { $0["network"] as? [String: Int] }
    equal(devices.count, 4)
    for (key, value) in network { equal(devices.reduce(0) { $0 + ($1[key] ?? -1) }, value, "\(key)") }
    equal(network["packetsSent"], counter.sent)
    equal(network["packetsLost"], counter.lost)
    equal(network["streamsOpened"], network["streamsAccepted"])
    expect((network["streamsFailed"] ?? 0) >= 2 && (network["servicesFound"] ?? 0) >= 3)
    expect((network["segmentsRepeated"] ?? 0) > 0 && (network["packetsLost"] ?? 0) > 0)
    // Nothing takes time on the air of an ideal network.
    equal(network["airtime"], 0)
  }

  @Test("Wi-Fi has airtime, and less than the run lasts")
  func airtime() throws {
    let (judgement, _) = try play("one-network")
    let network = try required(try result(judgement)["network"] as? [String: Int])
    let airtime = Int64(try required(network["airtime"]))
    expect(airtime > 0 && airtime < judgement.outcome.endInstant.nanoseconds)
  }

  @Test("A run without a network has none")
  func without() throws {
    let (played, _) = try play("gate-and-retry")
    var judgement = played
    for index in judgement.outcome.devices.indices { judgement.outcome.devices[index].network = nil }
    let tree = try result(judgement)
    expect(tree["network"] == nil && judgement.outcome.networkUse == nil)
    try expect(required(tree["devices"] as? [[String: Any]]).allSatisfy { $0["network"] == nil })
  }
}
