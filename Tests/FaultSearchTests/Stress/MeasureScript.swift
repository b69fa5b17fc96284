import AppSeam
import BabSim
import BabSuite
import Bench
import BluetoothWire
import Conformance
import SimKernel
import Stress
import VirtualRadio

/// A hand-written trace of one host (device 0) and two clients, and what is measured of it.
struct MeasureScript {
  private var records: [TraceRecord] = []
  private let header: TraceHeader
  private var microseconds: Int64 = 0

  init() {
    header = TraceHeader(
      scenario: "by hand", seed: 7,
      devices: (0...2).map { index in
        TraceHeader.Device(
          name: index == 0 ? "host" : "client-\(index)", role: index == 0 ? .host : .client, phone: "ideal",
          dialect: "sdk", engine: "reference", address: Self.address(index), app: "bab")
      }, options: [])
    for index in 0...2 { input(index, .launched) }
  }

  static func address(_ index: Int) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(index))
  }

  static let characteristic = BluetoothUUID(0xBAB3)

  /// What happens next happens at this instant.
  mutating func at(milliseconds: Int64) { microseconds = milliseconds * 1_000 }

  mutating func add(_ device: Int, _ event: TraceEvent) {
    let instant = SimInstant.zero + .microseconds(microseconds)
    records.append(TraceRecord(sequence: records.count, instant: instant, device: device, event: event))
  }

  mutating func input(_ device: Int, _ input: AppInput) { add(device, .input(input)) }
  mutating func effect(_ device: Int, _ effect: AppEffect) { add(device, .effect(effect)) }
  mutating func report(_ device: Int, _ report: BabReport) { add(device, .report(AppReport(report))) }

  /// Link 1 of the client is link 11 or 21 of the host.
  static func link(_ client: Int) -> LinkID { LinkID(client * 10 + 1) }

  mutating func connect(_ client: Int) {
    input(client, .connected(LinkID(1), peer: Self.address(0)))
    input(0, .connected(Self.link(client), peer: Self.address(client)))
  }

  mutating func disconnect(_ client: Int, _ reason: HCI.ErrorCode = .connectionTimeout) {
    input(client, .disconnected(LinkID(1), reason: reason))
    input(0, .disconnected(Self.link(client), reason: reason))
  }

  /// The host offers a value.
  mutating func notify(_ client: Int, _ octets: [UInt8], isTaken: Bool = true) {
    effect(0, .notify(Self.link(client), characteristic: Self.characteristic, octets: octets))
    input(0, .submitted(Self.link(client), characteristic: Self.characteristic, accepted: isTaken))
  }

  mutating func arrive(_ client: Int, _ octets: [UInt8]) {
    input(client, .valueReceived(LinkID(1), characteristic: Self.characteristic, octets: octets))
  }

  /// A value with the header of a fragment (BAB 3.2) and a body of two octets.
  static func fragment(_ packet: UInt8, _ index: UInt8, of count: UInt8) -> [UInt8] {
    [0, packet, index, count, 0x7B, 0x7D]
  }

  /// Milliseconds, or what else the measure is counted in, in ascending order.
  func samples(_ name: String) throws -> [Int64] {
    let reader = MeasureReader([.bab])
    reader.begin(header)
    for record in records { reader.read(record) }
    var statistics = RunOutcome.Statistics()
    (statistics.connectionEvents, statistics.missedConnectionEvents) = (400, 10)
    (statistics.pdusSent, statistics.pdusLost) = (1_000, 1)
    reader.end(
      RunOutcome(
        ending: .finished, endInstant: .zero + .microseconds(microseconds), digest: TraceDigest(),
        statistics: statistics, devices: []))
    guard let measures = reader.measures, let place = measures.measures.firstIndex(where: { $0.name == name }) else {
      throw NoMeasure()
    }
    let unit: Int64 = measures.measures[place].unit == .time ? 1_000_000 : 1
    return measures.samples[place].flatMap { Array(repeating: $0.value / unit, count: Int($0.count)) }.sorted()
  }

  struct NoMeasure: Error {}
}
