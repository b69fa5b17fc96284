import AppSeam
import BeamScribe
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// A lower tester that plays a host.
final class HostTester: LowerTester {
  /// The name under which the network knows its service; nil: it has none.
  private(set) var registered: String?
  /// What it sends on each new stream at once; nil: the procedure does it.
  var greets: ((TesterStream) -> Void)?
  /// `mpc`: answers an invitation.
  enum Answer { case accepts, declines, nothing }
  var answer = Answer.accepts
  /// Invitations of `mpc` that came.
  private(set) var invitations: [SimInstant] = []

  override func hear(_ input: NetworkInput, at now: SimInstant) {
    if case .listenerReady(_, let name, _) = input { registered = name }
    super.hear(input, at: now)
  }

  override func began(_ stream: TesterStream) { if dialect != .beamMPC { greets?(stream) } }

  override func heard(_ frame: HeardFrame, on stream: TesterStream) {
    guard frame.kind == .invitation else { return }
    invitations.append(frame.instant)
    switch answer {
    case .accepts:
      send(Frame(.accepted).encoded(format) + Frame(.connected).encoded(format), on: stream)
      greets?(stream)
    case .declines: send(Frame(.declined).encoded(format), on: stream)
    case .nothing: break
    }
  }

  // MARK: Hosting

  /// Listens under a name, and waits until the network knows it.
  func listen(_ name: String = "Keynote", type: String? = nil, peerToPeer: Bool = true) throws {
    if gives("listens as \"\(name)\"") {
      registered = nil
      ask(.listen(ListenRequest(type: type ?? bed.serviceType, name: name, peerToPeer: peerToPeer)))
    }
    guard try bed.wait(.seconds(10), until: { registered != nil }) else {
      throw bed.inconclusive("\(self.name)'s service is registered")
    }
  }

  func stopListening() {
    guard gives("ends its service") else { return }
    registered = nil
    ask(.stopListening(type: bed.serviceType))
  }

  func advertise(_ name: String, uuid: BluetoothUUID = .beamScribe) {
    guard gives("advertises \"\(name)\" over BLE") else { return }
    ask(.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [uuid])))
  }

  func stopAdvertising() {
    guard gives("stops to advertise") else { return }
    ask(.stopAdvertising)
  }

  // MARK: Streams

  /// A stream of the implementation must be ready in time.
  @discardableResult
  func expectStream(
    _ number: Int = 1, within limit: SimDuration = .seconds(20), clause: String? = nil
  ) throws -> TesterStream {
    try bed.expect(
      "the IUT connects to \(name)" + (number > 1 ? " once more, \(number) times in all" : ""), within: limit,
      clause: clause,
      actual: { CountedNoun.text(self.streams.count, "stream") + " came" }
    ) { streams.count >= number }
    return streams[number - 1]
  }

  /// Sends packets, one frame after the other, as one piece.
  func say(_ packets: BeamPacket..., note: String? = nil) { say(packets, note: note) }

  func say(_ packets: [BeamPacket], note: String? = nil) {
    let octets = packets.flatMap { frame($0.encoded()) }
    transmit(octets, note: note ?? "sends " + packets.map(\.words).joined(separator: ", "))
  }

  /// Sends a body in a frame, whatever it is.
  func say(body: [UInt8], note: String) { transmit(frame(body), note: note) }
  func say(body: String, note: String? = nil) {
    say(body: Array(body.utf8), note: note ?? "sends \(body.count > 80 ? body.prefix(80) + "…" : body[...])")
  }

  /// Sends a history of these texts, from 1.
  func open(_ texts: [String] = []) { say(.history(texts)) }

  /// Hosts "Keynote", lets the implementation's user join, and gives its stream a history of these texts.
  @discardableResult
  func serve(_ texts: [String] = []) throws -> TesterStream {
    try listen()
    bed.iut.user(.join)
    let stream = try expectStream()
    open(texts)
    try bed.pause(.milliseconds(50))
    return stream
  }

  /// The stream must be ended by the implementation in time.
  func expectEnd(
    within limit: SimDuration = .seconds(2), on stream: TesterStream, clause: String? = nil
  ) throws {
    try bed.expect("\(name)'s stream is ended", within: limit, clause: clause, actual: { "it is up" }) {
      stream.end.map { $0.how != .own } ?? false
    }
  }
}

extension BeamPacket {
  /// For people.
  var words: String {
    switch self {
    case .fullHistory(let history): "a history of \(history.chunks.count)"
    case .liveChunk(let chunk): (chunk.isFinal ? "final " : "partial ") + "\(chunk.sequence)"
    case .alert(let alert): alert.rawValue
    }
  }

  static func history(_ texts: [String], from first: Int = 1, upTo: Int? = nil) -> BeamPacket {
    let chunks = texts.enumerated().map { Chunk(sequence: first + $0.offset, text: $0.element) }
    return .fullHistory(History(chunks: chunks, upToSequence: upTo ?? texts.count))
  }

  static func final(_ sequence: Int, _ text: String) -> BeamPacket {
    .liveChunk(LiveChunk(isFinal: true, sequence: sequence, text: text))
  }

  static func partial(_ sequence: Int, _ text: String) -> BeamPacket {
    .liveChunk(LiveChunk(isFinal: false, sequence: sequence, text: text))
  }
}
