import AppSeam
import BabSuite
import BeamScribe
import BeamSuite
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel
import Stress
import VirtualRadio

/// A hand-written trace of a host (device 0) and two guests of an app that uses the network, and what is measured of
/// it.
struct NetworkScript {
  private var records: [TraceRecord] = []
  private let header: TraceHeader
  private var microseconds: Int64 = 0
  static let type = "_beamscribe._tcp"

  init() {
    header = TraceHeader(
      scenario: "by hand", seed: 7,
      devices: (0...2).map { (index: Int) -> TraceHeader.Device in
        let role: AppRole = index == 0 ? .beamHost : .beamGuest
        let address = BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(index))
        return TraceHeader.Device(
          name: index == 0 ? "host" : "guest-\(index)", role: role, phone: "ideal", dialect: "network",
          engine: "reference", address: address, app: "beamscribe")
      }, options: [])
    for index in 0...2 { add(index, .input(.launched)) }
    add(0, .input(.network(.listenerReady(type: Self.type, name: "Talk", port: 1))))
  }

  /// What happens next happens at this instant.
  mutating func at(milliseconds: Int64) { microseconds = milliseconds * 1_000 }

  mutating func add(_ device: Int, _ event: TraceEvent) {
    let instant = SimInstant.zero + .microseconds(microseconds)
    records.append(TraceRecord(sequence: records.count, instant: instant, device: device, event: event))
  }

  mutating func input(_ device: Int, _ input: NetworkInput) { add(device, .input(.network(input))) }
  mutating func effect(_ device: Int, _ effect: NetworkEffect) { add(device, .effect(.network(effect))) }
  mutating func report(_ device: Int, _ report: BeamReport) { add(device, .report(AppReport(report))) }

  mutating func browse(_ guest: Int) { effect(guest, .browse(type: Self.type, peerToPeer: true)) }

  mutating func find(_ guest: Int, _ name: String = "Talk") {
    input(guest, .found(EndpointID(1), type: Self.type, name: name, interfaces: [.infrastructure]))
  }

  /// Stream 2 of a guest is stream 1 (of guest 1) or 3 of the host.
  static func accepted(_ guest: Int) -> ConnectionID { ConnectionID(guest * 2 - 1) }
  static let opened = ConnectionID(2)

  mutating func connect(_ guest: Int) {
    effect(guest, .connect(Self.opened, ConnectRequest(endpoint: EndpointID(1), interfaces: [.infrastructure])))
  }

  mutating func ready(_ guest: Int) {
    input(guest, .ready(Self.opened, .infrastructure))
    input(0, .incoming(Self.accepted(guest), .infrastructure, peer: "guest-\(guest)"))
  }

  mutating func send(_ guest: Int, _ octets: Int, isTaken: Bool = true) {
    effect(0, .send(Self.accepted(guest), octets: Array(repeating: 7, count: octets)))
    input(0, .submitted(Self.accepted(guest), accepted: isTaken))
  }

  mutating func arrive(_ guest: Int, _ octets: Int) {
    input(guest, .received(Self.opened, octets: Array(repeating: 7, count: octets)))
  }

  /// Ready, and its whole history.
  mutating func show(_ guest: Int, upTo: Int = 0) {
    report(guest, .packetReceived(Self.opened, type: "fullHistory", octets: 55))
    report(guest, .historyShown(upTo: upTo))
    report(guest, .state(BeamState.showing.rawValue))
  }

  /// Milliseconds, or what else the measure is counted in, in ascending order.
  func samples(_ name: String) throws -> [Int64] {
    let reader = MeasureReader([.bab, .beamscribe])
    reader.begin(header)
    for record in records { reader.read(record) }
    reader.end(
      RunOutcome(
        ending: .finished, endInstant: .zero + .microseconds(microseconds), digest: TraceDigest(),
        statistics: RunOutcome.Statistics(), devices: []))
    guard let measures = reader.measures, let place = measures.measures.firstIndex(where: { $0.name == name }) else {
      throw MeasureScript.NoMeasure()
    }
    let unit: Int64 = measures.measures[place].unit == .time ? 1_000_000 : 1
    return measures.samples[place].flatMap { Array(repeating: $0.value / unit, count: Int($0.count)) }.sorted()
  }
}
