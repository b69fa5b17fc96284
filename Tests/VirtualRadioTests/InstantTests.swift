import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Procedures that begin on a link which has been idle: the instant is six events after the present one, not after the
/// one at which the link began to be skipped (Vol 6, Part B, 5.5).
@Suite("Procedures on links that were idle")
struct InstantTests {
  enum Procedure: CaseIterable, Sendable {
    case update, updateAfterRequest, classification, phyOfCentral, phyOfPeripheral, lengthOfCentral, lengthOfPeripheral
    case request, features, version, encryption, disconnection
  }

  /// What both hosts were told, the digest, and whether the link lives.
  private func run(_ procedure: Procedure, idle: SimDuration, latency: UInt16, mode: LinkHistory.Mode) throws
    -> (told: [String], digest: TraceDigest, lives: Bool)
  {
    let link = try EncryptionBench(
      seed: 5, latency: latency, wantsAir: mode == .observed, stepsIdleEvents: mode == .stepped
    ) { radio, _ in radio.asksForParameters = procedure == .updateAfterRequest }
    let bench = link.bench
    let (central, peripheral) = (link.central, link.peripheral)
    let answerKeys = bench.onMessage
    bench.onMessage = { device, message in
      answerKeys?(device, message)
      if case .event(.leRemoteConnectionParameterRequest(let handle, let asked)) = message {
        bench.world.controllers[device].submit(.leRemoteConnectionParameterRequestReply(handle, asked))
      }
    }
    bench.run(for: idle)
    let wish = HCI.ConnectionParameters(
      intervalMinimum: 40, intervalMaximum: 40, peripheralLatency: latency, supervisionTimeout: 500)
    switch procedure {
    case .update, .updateAfterRequest: bench.command(1, .leConnectionUpdate(central, wish))
    case .request: bench.command(0, .leConnectionUpdate(peripheral, wish))
    case .classification: bench.command(1, .leSetHostChannelClassification(0x1F_0000_FFFF))
    case .phyOfCentral: bench.command(1, .leSetPHY(central, tx: .le2M, rx: .le2M))
    case .phyOfPeripheral: bench.command(0, .leSetPHY(peripheral, tx: .le2M, rx: .le2M))
    case .lengthOfCentral: bench.command(1, .leSetDataLength(central, txOctets: 200, txTime: 2_000))
    case .lengthOfPeripheral: bench.command(0, .leSetDataLength(peripheral, txOctets: 200, txTime: 2_000))
    case .features: bench.command(0, .leReadRemoteFeatures(peripheral))
    case .version: bench.command(1, .readRemoteVersionInformation(central))
    case .encryption: link.enable()
    case .disconnection: bench.command(1, .disconnect(central, reason: .remoteUserTerminatedConnection))
    }
    bench.run(for: .seconds(2))
    bench.command(1, .leReadChannelMap(central))
    bench.run(for: .seconds(9))
    bench.world.settle()
    let told = (0..<2).flatMap { device in bench.events[device].map { "\(device) \($0.at) \($0.event)" } }
    return (told, bench.world.digest, bench.disconnections(of: 0).isEmpty && bench.disconnections(of: 1).isEmpty)
  }

  @Test(
    "Whatever begins after whatever silence ends as it should, stepped, skipped and observed alike",
    arguments: Procedure.allCases, [0, 1, 4] as [UInt16])
  func idle(procedure: Procedure, latency: UInt16) throws {
    for idle in [1, 50_000_001, 300_000_007, 1_700_000_003, 64_123_456_789] as [Int64] {
      let runs = try LinkHistory.Mode.allCases.map {
        try run(procedure, idle: .nanoseconds(idle), latency: latency, mode: $0)
      }
      equal(runs[0].lives, (procedure != .disconnection))
      for other in runs.dropFirst() {
        equal(other.told, runs[0].told)
        equal(other.digest, runs[0].digest)
      }
      if let wanted = Self.evidence[procedure] {
        expect(runs[0].told.contains { $0.contains(wanted) }, "\(wanted) in \(runs[0].told)")
      }
    }
  }

  /// What the hosts hear when it was done.
  private static let evidence: [Procedure: String] = [
    .update: "leConnectionUpdateComplete", .updateAfterRequest: "leConnectionUpdateComplete",
    .request: "leConnectionUpdateComplete", .phyOfCentral: "lePHYUpdateComplete",
    .phyOfPeripheral: "lePHYUpdateComplete", .lengthOfCentral: "leDataLengthChange",
    .lengthOfPeripheral: "leDataLengthChange", .features: "leReadRemoteFeaturesComplete",
    .version: "readRemoteVersionInformationComplete", .encryption: "encryptionChange",
    .disconnection: "disconnectionComplete",
  ]
}
