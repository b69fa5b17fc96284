import AppSeam
import BabOracles
import BabSim
import Bench
import BluetoothWire
import Conformance
import Judging
import SimKernel

/// A hand-written trace of one host (device 0) and some clients, judged by the oracles asked for.
struct TraceScript {
  private(set) var records: [TraceRecord] = []
  let header: TraceHeader
  private var milliseconds: Int64 = 0

  init(clients: Int = 1, dialect: String = "guide") {
    let devices = (0...clients).map { index in
      TraceHeader.Device(
        name: index == 0 ? "host" : "client-\(index)", role: index == 0 ? .host : .client, phone: "ideal",
        dialect: dialect, engine: "reference", address: Self.address(index))
    }
    header = TraceHeader(scenario: "by hand", seed: 7, devices: devices, options: [])
    for index in 0...clients {
      add(index, .input(.launched))
      let peerID = index == 0 ? "h" : "c\(index)"
      add(index, .report(.identity(role: index == 0 ? .host : .client, peerID: peerID, displayName: peerID)))
    }
  }

  static func address(_ index: Int) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(index))
  }

  static let characteristic = BluetoothUUID(0xBAB3)

  mutating func wait(_ milliseconds: Int64) { self.milliseconds += milliseconds }

  mutating func add(_ device: Int, _ event: TraceEvent) {
    records.append(
      TraceRecord(
        sequence: records.count, instant: .zero + .milliseconds(milliseconds), device: device, event: event))
  }

  mutating func report(_ device: Int, _ report: BabReport) { add(device, .report(report)) }

  /// Link 1 of the client to link `client` of the host.
  mutating func connect(_ client: Int, link: Int = 1) {
    add(client, .input(.connected(LinkID(link), peer: Self.address(0))))
    add(0, .input(.connected(LinkID(client * 10 + link), peer: Self.address(client))))
  }

  mutating func disconnect(_ client: Int, link: Int = 1) {
    add(client, .input(.disconnected(LinkID(link), reason: .connectionTimeout)))
    add(0, .input(.disconnected(LinkID(client * 10 + link), reason: .connectionTimeout)))
  }

  /// The lobby on some devices, with the host and these clients in it.
  mutating func lobby(_ clients: [Int], on devices: [Int], difficulty: String = "normal") {
    let players = ["h"] + clients.map { "c\($0)" }
    for device in devices {
      report(device, .lobby(LobbyView(scenarioID: "s", difficulty: difficulty, players: players)))
      report(device, .roster(players))
    }
  }

  mutating func notify(_ client: Int, _ octets: [UInt8], accepted: Bool = true) {
    let link = LinkID(client * 10 + 1)
    add(0, .effect(.notify(link, characteristic: Self.characteristic, octets: octets)))
    add(0, .input(.submitted(link, characteristic: Self.characteristic, accepted: accepted)))
  }

  mutating func arrive(_ client: Int, _ octets: [UInt8]) {
    add(client, .input(.valueReceived(LinkID(1), characteristic: Self.characteristic, octets: octets)))
  }

  static func outcome(_ ending: RunOutcome.Ending = .finished, at instant: SimInstant) -> RunOutcome {
    RunOutcome(
      ending: ending, endInstant: instant, digest: TraceDigest(), statistics: RunOutcome.Statistics(), devices: [])
  }

  func play(into readers: [any TraceReader], ending: RunOutcome.Ending = .finished) {
    for reader in readers {
      reader.begin(header)
      for record in records { reader.read(record) }
      reader.end(Self.outcome(ending, at: .zero + .milliseconds(milliseconds)))
    }
  }

  func judge(_ types: [any BabOracle.Type] = OracleRegistry.all, ending: RunOutcome.Ending = .finished) -> Judgement {
    let reader = OracleReader(types: types)
    play(into: [reader], ending: ending)
    return reader.judgement!
  }

  func result(_ type: any BabOracle.Type, ending: RunOutcome.Ending = .finished) -> OracleResult {
    judge([type], ending: ending).oracles[0]
  }
}
