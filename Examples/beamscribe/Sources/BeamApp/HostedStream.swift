/// One guest's stream, as its host has it: what waits, and how far it was sent.
final class HostedStream {
  enum Phase { case coming, gated, open, ending, finished }

  /// A chunk on its way to all open streams, which get the same octets.
  final class Chunk {
    let chunk: TranscriptPacket.Chunk
    let isFinal: Bool
    private var sent: [UInt8]?

    init(_ chunk: TranscriptPacket.Chunk, isFinal: Bool) {
      self.chunk = chunk
      self.isFinal = isFinal
    }

    /// The frame, with the time at which it was first asked for.
    func frame(_ milliseconds: Int?) -> [UInt8] {
      if let sent { return sent }
      let made = frame(trying: milliseconds)
      sent = made
      return made
    }

    func size(_ milliseconds: Int?) -> Int { sent?.count ?? frame(trying: milliseconds).count }

    private func frame(trying milliseconds: Int?) -> [UInt8] {
      LengthFraming.frame(
        TranscriptPacket.liveChunk(chunk, isFinal: isFinal, sentMilliseconds: milliseconds).body)
    }
  }

  enum Entry {
    case chunk(Chunk)
    case alert(TranscriptPacket.Alert)
  }

  struct Waiting {
    var entry: Entry
    var since: Double
    var size: Int
  }

  private struct Outgoing {
    var frame: [UInt8]
    var type: String
    var since: Double
    var taken = 0
  }

  let stream: P2PStream
  let peer: String
  var phase = Phase.coming
  var readyAt = 0.0
  var isGateDue = false
  let gate = Alarm()
  let viability = Alarm()
  let finishing = Alarm()
  private let age = Alarm()
  /// What the app knows when a frame goes out.
  private let clock: () -> Int?
  var onSent: ((String, Int) -> Void)?
  var onSlow: (() -> Void)?
  /// All that waited has gone out.
  var onIdle: (() -> Void)?

  private var history: (finals: [String], next: Int)?
  private var historyTaken = 0.0
  private var queue: [Waiting] = []
  private var queued = 0
  private var current: Outgoing?
  private var isSending = false

  init(_ stream: P2PStream, clock: @escaping () -> Int?) {
    self.stream = stream
    self.clock = clock
    peer = stream.peer
  }

  /// Octets that the system has not taken.
  var waitingOctets: Int { queued + (current.map { $0.frame.count - $0.taken } ?? 0) }

  func add(history finals: [String]) { history = (finals, 1) }

  func add(_ entry: Entry) {
    let size =
      switch entry {
      case .chunk(let chunk): chunk.size(clock())
      case .alert(let alert): LengthFraming.frame(TranscriptPacket.alert(alert).body).count
      }
    queue.append(Waiting(entry: entry, since: uptime(), size: size))
    queued += size
  }

  /// A partial that waits is not sent when something newer follows.
  func dropWaitingPartial() {
    let place = queue.lastIndex { if case .chunk(let chunk) = $0.entry { !chunk.isFinal } else { false } }
    if let place { queued -= queue.remove(at: place).size }
  }

  /// Hands the next octets to the connection, if it has taken those before.
  func pump() {
    guard !isSending, phase != .finished else { return }
    guard let outgoing = current ?? nextFrame() else {
      onIdle?()
      return
    }
    current = outgoing
    let piece = Array(outgoing.frame[outgoing.taken...].prefix(16_384))
    isSending = true
    if !age.isSet { watchAge() }
    stream.send(piece) { [weak self] in self?.taken(piece.count) }
  }

  private func nextFrame() -> Outgoing? {
    if let (finals, first) = history {
      let (body, next) = TranscriptPacket.page(of: finals, from: first)
      history = next > finals.count ? nil : (finals, next)
      return Outgoing(frame: LengthFraming.frame(body), type: "fullHistory", since: uptime())
    }
    if queue.isEmpty { return nil }
    let next = queue.removeFirst()
    queued -= next.size
    let since = max(next.since, historyTaken)
    switch next.entry {
    case .chunk(let chunk): return Outgoing(frame: chunk.frame(clock()), type: "liveChunk", since: since)
    case .alert(let alert):
      return Outgoing(frame: LengthFraming.frame(TranscriptPacket.alert(alert).body), type: "alert", since: since)
    }
  }

  private func taken(_ count: Int) {
    isSending = false
    guard var outgoing = current else { return }
    outgoing.taken += count
    current = outgoing.taken < outgoing.frame.count ? outgoing : nil
    if current == nil {
      if outgoing.type == "fullHistory" { historyTaken = uptime() }
      onSent?(outgoing.type, outgoing.frame.count)
    }
    pump()
  }

  private func watchAge() {
    guard let current else { return }
    age.set(after: max(0, current.since + Beam.slow - uptime())) { [weak self] in
      guard let self, let current = self.current else { return }
      if uptime() - current.since < Beam.slow - 0.000_001 { watchAge() } else { onSlow?() }
    }
  }

  func stop() {
    for alarm in [gate, viability, finishing, age] { alarm.cancel() }
    (onSent, onSlow, onIdle) = (nil, nil, nil)
  }
}
