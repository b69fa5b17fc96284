import AppSeam
import BeamOracles
import BeamScribe
import Bench
import BluetoothWire
import Conformance
import Judging
import Platform
import SimKernel
import VirtualNetwork

/// A hand-written trace of one host (device 0) and some guests, judged by the oracles asked for.
struct BeamScript {
  private(set) var records: [TraceRecord] = []
  private let header: TraceHeader
  private var milliseconds: Int64 = 0

  init(guests: Int = 1, dialect: DialectName = .beamNetwork, foreignHost: Bool = false) {
    let devices: [TraceHeader.Device] = (0...guests).map { index in
      let isHost = index == 0
      let role: AppRole = isHost ? .beamHost : .beamGuest
      let engine = isHost && foreignHost ? TraceHeader.foreignEngine : "reference"
      let address = BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(index))
      return TraceHeader.Device(
        name: isHost ? "host" : "guest-\(index)", role: role, phone: "ideal", dialect: dialect.rawValue,
        engine: engine, address: address, app: BeamApp.name)
    }
    header = TraceHeader(scenario: "by hand", seed: 7, devices: devices, options: [])
    for index in 0...guests { add(index, .input(.launched)) }
    add(0, .input(.user(.startEvent(name: "Keynote"))))
    for index in 1...guests { add(index, .input(.user(BeamAction.join))) }
  }

  mutating func wait(_ milliseconds: Int64) { self.milliseconds += milliseconds }

  mutating func add(_ device: Int, _ event: TraceEvent) {
    records.append(
      TraceRecord(
        sequence: records.count, instant: .zero + .milliseconds(milliseconds), device: device, event: event))
  }

  mutating func hear(_ device: Int, _ input: NetworkInput) { add(device, .input(.network(input))) }
  mutating func ask(_ device: Int, _ effect: NetworkEffect) { add(device, .effect(.network(effect))) }
  mutating func show(_ device: Int, _ report: BeamReport) { add(device, .report(AppReport(report))) }

  /// Connection 2 of a guest to connection 2 × guest − 1 of the host.
  mutating func connect(_ guest: Int, over interface: NetworkInterface = .infrastructure) {
    ask(guest, .connect(ConnectionID(2), ConnectRequest(endpoint: EndpointID(1), interfaces: [interface])))
    hear(guest, .ready(ConnectionID(2), interface))
    hear(0, .incoming(Self.end(guest), interface, peer: "guest-\(guest)"))
  }

  static func end(_ guest: Int) -> ConnectionID { ConnectionID(2 * guest - 1) }

  /// The host sends octets to a guest, and they arrive at once.
  mutating func send(_ guest: Int, _ octets: [UInt8], arrives: Bool = true) {
    ask(0, .send(Self.end(guest), octets: octets))
    hear(0, .submitted(Self.end(guest), accepted: true))
    if arrives { hear(guest, .received(ConnectionID(2), octets: octets)) }
  }

  mutating func send(_ guest: Int, _ packet: BeamPacket, arrives: Bool = true) {
    send(guest, Frame(body: packet.encoded()).encoded(.length), arrives: arrives)
  }

  mutating func history(_ guest: Int, _ texts: [String] = []) {
    let chunks = texts.enumerated().map { BeamPacket.Chunk(sequence: $0.offset + 1, text: $0.element) }
    send(guest, .fullHistory(BeamPacket.History(chunks: chunks, upToSequence: texts.count)))
  }

  mutating func final(_ guest: Int, _ sequence: Int, _ text: String) {
    send(guest, .liveChunk(BeamPacket.LiveChunk(isFinal: true, sequence: sequence, text: text)))
  }

  /// A guest with an open stream.
  mutating func open(_ guest: Int, _ texts: [String] = []) {
    connect(guest)
    wait(4_000)
    history(guest, texts)
  }

  func result(_ type: any BeamOracle.Type) -> OracleResult {
    let reader = OracleReader.beamScribe([type])
    reader.begin(header)
    for record in records { reader.read(record) }
    reader.end(
      RunOutcome(
        ending: .finished, endInstant: .zero + .milliseconds(milliseconds), digest: TraceDigest(),
        statistics: RunOutcome.Statistics(), devices: []))
    guard let result = reader.judgement?.oracles.first else { preconditionFailure("a run without an end") }
    return result
  }

  func verdict(_ type: any BeamOracle.Type) -> Verdict { result(type).verdict }
}
