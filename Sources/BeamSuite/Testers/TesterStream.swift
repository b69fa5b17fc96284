import AppSeam
import BeamScribe
import SimKernel

/// A stream as the lower tester at its other end sees it.
final class TesterStream {
  /// How it ended, seen from the tester.
  enum Ending: Hashable {
    /// The implementation has nothing more to send (FIN).
    case finished
    /// RST, or whatever else the network says.
    case failed(NetworkReason)
    /// The tester ended it.
    case own
  }

  let id: ConnectionID
  let interface: NetworkInterface
  let start: SimInstant
  /// Octets as they came.
  private(set) var pieces: [(instant: SimInstant, record: Int, count: Int)] = []
  private(set) var octets: [UInt8] = []
  private(set) var frames: [HeardFrame] = []
  /// What is wrong with a frame before its body is there; nothing is read after it.
  private(set) var framing: FrameRefusal?
  private(set) var end: (instant: SimInstant, how: Ending)?
  /// The implementation's FIN, also where the tester kept its side open.
  private(set) var finish: SimInstant?
  private var reader: FrameReader
  private var outgoing: [[UInt8]] = []
  private var isWaiting = false

  init(id: ConnectionID, interface: NetworkInterface, start: SimInstant, format: Frame.Format) {
    self.id = id
    self.interface = interface
    self.start = start
    reader = FrameReader(format)
  }

  var isUp: Bool { end == nil }
  /// Octets of a frame that has begun and not ended.
  var rest: Int { reader.heldOctets }

  func receive(_ octets: [UInt8], at now: SimInstant, record: Int) {
    pieces.append((now, record, octets.count))
    self.octets += octets
    guard framing == nil else { return }
    var piece = octets[...]
    do throws(FrameRefusal) {
      while let frame = try reader.next(&piece) {
        frames.append(HeardFrame(frame, at: now, record: record))
      }
    } catch {
      framing = error
    }
  }

  func close(at now: SimInstant, _ how: Ending) {
    if end == nil { end = (now, how) }
    outgoing = []
  }

  func finished(at now: SimInstant) { finish = finish ?? now }

  /// Octets in pieces that a platform takes whole.
  func enqueue(_ octets: [UInt8]) {
    var rest = octets[...]
    while !rest.isEmpty {
      outgoing.append(Array(rest.prefix(16_384)))
      rest = rest.dropFirst(16_384)
    }
  }

  var isFlushed: Bool { outgoing.isEmpty && !isWaiting }

  /// What the tester asks for next; nil: nothing, or the platform has to answer first.
  func next() -> NetworkEffect? {
    guard !isWaiting, isUp, let piece = outgoing.first else { return nil }
    isWaiting = true
    return .send(id, octets: piece)
  }

  func answered(accepted: Bool) {
    guard accepted else { return }
    isWaiting = false
    if !outgoing.isEmpty { outgoing.removeFirst() }
  }

  func hasRoom() { isWaiting = false }

  /// Packets, in order, without what `mpc` has beside them.
  var packets: [BeamPacket] { frames.compactMap(\.packet) }
  /// Finals as they came, in histories and live.
  var finals: [BeamPacket.Chunk] {
    packets.flatMap { packet -> [BeamPacket.Chunk] in
      switch packet {
      case .fullHistory(let history): history.chunks
      case .liveChunk(let chunk):
        chunk.isFinal ? [BeamPacket.Chunk(sequence: chunk.sequence, text: chunk.text)] : []
      case .alert: []
      }
    }
  }
  var histories: [BeamPacket.History] {
    packets.compactMap { if case .fullHistory(let history) = $0 { history } else { nil } }
  }
  var chunks: [BeamPacket.LiveChunk] {
    packets.compactMap { if case .liveChunk(let chunk) = $0 { chunk } else { nil } }
  }
  var alerts: [BeamAlert] {
    packets.compactMap { if case .alert(let alert) = $0 { alert } else { nil } }
  }
}

/// A frame that came from the implementation, whole.
struct HeardFrame {
  let instant: SimInstant
  let record: Int
  let kind: Frame.Kind
  let body: [UInt8]
  /// Nil: it is none.
  let packet: BeamPacket?

  init(_ frame: Frame, at instant: SimInstant, record: Int) {
    self.instant = instant
    self.record = record
    kind = frame.kind
    body = frame.body
    packet = frame.kind == .message ? try? BeamPacket(decoding: frame.body) : nil
  }

  /// For people: what it is, or how it begins.
  var words: String {
    switch packet {
    case .fullHistory(let history): "a history of \(history.chunks.count) up to \(history.upToSequence)"
    case .liveChunk(let chunk): (chunk.isFinal ? "final " : "partial ") + "\(chunk.sequence)"
    case .alert(let alert): "alert \(alert.rawValue)"
    case nil: "no packet: " + String(decoding: body.prefix(60), as: UTF8.self)
    }
  }
}
