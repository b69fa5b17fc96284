import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// A correct engine below a layer with one defect (`BeamDefect`).
///
/// Where the defect is in what is sent, the inner engine's octets are put together to frames, changed, and sent with
/// the platform's real flow control; the inner engine has its answer when all of it was taken, so that its own waiting
/// is what it would be. Where it is in what is read, a frame that has begun is kept until it is whole.
final class DefectEngine: FallibleEngine {
  /// Octets that are handed over at a time, as the reference does it.
  private static let pieceOctets = 16_384

  let configuration: BeamConfiguration
  private let inner: any AppEngine
  private let defect: BeamDefect
  private var effects: [AppEffect] = []
  private var answers: [ConnectionID] = []
  private(set) var now = SimInstant.zero
  /// The input that is being handled.
  private(set) var input = AppInput.launched
  /// Those that are ready and not over, in order of coming.
  private(set) var streams: [DefectStream] = []
  /// Attempts of the inner engine that are neither ready nor over.
  private(set) var attempts: [ConnectionID] = []
  /// What the inner engine shows of the transcript, or has spoken.
  private(set) var finals: [String] = []
  /// The newest state that the inner engine showed.
  private(set) var state = ""
  /// Set by a defect that ends the program.
  private(set) var failure: IUTFailure?

  // For defects that need memory
  var count = 0
  var words: [String] = []
  var times: [SimInstant] = []
  var kept: [AppEffect] = []
  var heard: [AppInput] = []
  var isMarked = false
  var request: ConnectRequest?
  var refused: ConnectionID?
  /// The newest final that each peer was sent.
  var sent: [(peer: String, upTo: Int)] = []
  /// Streams as they were before the input.
  var before: [DefectStream] = []

  init(_ defect: BeamDefect, wrapping inner: any AppEngine, _ configuration: BeamConfiguration) {
    self.defect = defect
    self.inner = inner
    self.configuration = configuration
  }

  var format: Frame.Format { configuration.isMPC ? .kindAndLength : .length }

  func stream(_ id: ConnectionID) -> DefectStream? { streams.first { $0.id == id } }

  // MARK: What defects do

  /// Asks the platform for something, past the inner engine.
  func ask(_ effect: AppEffect) {
    note(effect)
    effects.append(effect)
  }

  func ask(_ effect: NetworkEffect) { ask(.network(effect)) }

  func show(_ report: BeamReport) { effects.append(.report(report)) }

  /// Tells the inner engine something.
  func tell(_ input: AppInput) {
    for effect in inner.handle(input, at: now) { perform(effect) }
  }

  /// Sends something of its own after all that waits.
  func say(_ speech: BeamDefect.Speech, on stream: DefectStream) {
    stream.queue.append(item(speech))
    pump(stream)
  }

  /// Sends something at once, in the midst of a frame if one is half taken.
  func interrupt(_ stream: DefectStream, with packet: BeamPacket) {
    guard stream.offered == nil, let first = stream.queue.first, first.taken > 0 else { return }
    let rest = DefectStream.Item(octets: Array(first.octets[first.taken...]), type: first.type)
    stream.queue[0] = rest
    stream.queue.insert(item(.packet(packet)), at: 0)
  }

  /// Refuses a connection that the inner engine is not told of.
  func refuse(_ id: ConnectionID, _ reason: RefusalReason) {
    show(.refused(id, reason: reason.rawValue))
    ask(.cancel(id))
  }

  /// Ends as a program does that traps or is stopped: from now on it answers nothing.
  func fail(_ kind: IUTFailure.Kind, _ detail: String) { failure = IUTFailure(kind, detail) }

  func close() {}

  // MARK: Input

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    if failure != nil { return [] }
    self.now = now
    self.input = input
    begin(input)
    if !takesAnswer(input) {
      for heard in defect.hearing?(self, input) ?? [input] { feed(heard) }
    }
    if defect.holding != nil { for stream in streams { pump(stream) } }
    while !answers.isEmpty { tell(.network(.submitted(answers.removeFirst(), accepted: true))) }
    end(input)
    if failure != nil { effects.removeAll() }
    var result: [AppEffect] = []
    swap(&result, &effects)
    return result
  }

  private func begin(_ input: AppInput) {
    switch input.network {
    case .incoming(let id, let interface, let peer):
      streams.append(DefectStream(id, peer: peer, interface, at: now, format))
    case .ready(let id, let interface):
      guard let place = attempts.firstIndex(of: id) else { return }
      attempts.remove(at: place)
      streams.append(DefectStream(id, peer: "", interface, at: now, format))
    case .viable(let id, let isViable): stream(id)?.isViable = isViable
    default: break
    }
  }

  private func end(_ input: AppInput) {
    switch input.network {
    case .failed(let id, _), .cancelled(let id):
      streams.removeAll { $0.id == id }
      attempts.removeAll { $0 == id }
    default: break
    }
  }

  private func feed(_ input: AppInput) {
    guard defect.reading != nil, let input = input.network else { return tell(input) }
    switch input {
    case .received(let id, let octets):
      if let stream = stream(id) { read(octets, stream) } else { tell(.network(input)) }
    case .ended(let id), .failed(let id, _):
      if let stream = stream(id), !stream.held.isEmpty { passOn(stream) }
      tell(.network(input))
    default: tell(.network(input))
    }
  }

  private func passOn(_ stream: DefectStream) {
    let held = stream.held
    stream.held = []
    tell(.network(.received(stream.id, octets: held)))
  }

  private func read(_ octets: [UInt8], _ stream: DefectStream) {
    stream.held += octets
    if stream.isBroken { return passOn(stream) }
    let header = format == .length ? 4 : 5
    while stream.held.count >= header {
      let length = stream.held[(header - 4)..<header].reduce(0) { $0 << 8 | Int($1) }
      let isMessage = format == .length || stream.held[0] == Frame.Kind.message.rawValue
      if isMessage ? length == 0 || length > configuration.frameLimit : length > 0 {
        stream.isBroken = true
        return passOn(stream)
      }
      guard stream.held.count >= header + length else { return }
      let frame = Array(stream.held.prefix(header + length))
      stream.held.removeFirst(frame.count)
      let bodies = isMessage ? defect.reading?(self, stream, Array(frame.dropFirst(header))) ?? [] : []
      for body in bodies { tell(.network(.received(stream.id, octets: Frame(body: body).encoded(format)))) }
      if !isMessage { tell(.network(.received(stream.id, octets: frame))) }
    }
  }

  // MARK: Effects

  private func perform(_ effect: AppEffect) {
    note(effect)
    if let report = effect.beam { note(report) }
    if defect.outgoing != nil || defect.holding != nil {
      switch effect.network {
      case .send(let id, let octets):
        if let stream = stream(id) { return take(octets, stream) }
      case .finish(let id):
        if let stream = stream(id) {
          let asked = defect.asking?(self, effect) ?? [effect]
          guard !stream.queue.isEmpty, asked.contains(effect) else { return effects += asked }
          stream.finishes = true
          return
        }
      default: if case .packetSent? = effect.beam { return }
      }
    }
    effects += defect.asking?(self, effect) ?? [effect]
  }

  private func note(_ effect: AppEffect) {
    switch effect.network {
    case .connect(let id, _): attempts.append(id)
    case .cancel(let id):
      stream(id)?.queue = []
      streams.removeAll { $0.id == id }
      attempts.removeAll { $0 == id }
    default: break
    }
  }

  private func note(_ report: BeamReport) {
    switch report {
    case .state(let state): self.state = state
    case .finalShown(_, let text): finals.append(text)
    case .transcriptCleared: finals = []
    case .eventNamed: if input.beam != nil { finals = [] }
    case .gateOpened(let id, _): stream(id)?.isOpen = true
    case .historyShown: if case .received(let id, _)? = input.network { stream(id)?.isOpen = true }
    default: break
    }
  }

  // MARK: What goes out

  private func take(_ octets: [UInt8], _ stream: DefectStream) {
    var rest = octets[...]
    while let frame = try? stream.sorter.next(&rest) {
      guard frame.kind == .message, let packet = try? BeamPacket(decoding: frame.body), let outgoing = defect.outgoing
      else {
        let type = (try? BeamPacket(decoding: frame.body))?.kind.rawValue
        stream.queue.append(DefectStream.Item(octets: frame.encoded(format), type: type))
        continue
      }
      stream.queue += outgoing(self, stream, packet).map(item)
    }
    stream.owedAnswers += 1
    pump(stream)
  }

  private func item(_ speech: BeamDefect.Speech) -> DefectStream.Item {
    switch speech {
    case .packet(let packet):
      DefectStream.Item(octets: Frame(body: packet.encoded()).encoded(format), type: packet.kind.rawValue)
    case .body(let body):
      DefectStream.Item(
        octets: Frame(body: body).encoded(format), type: (try? BeamPacket(decoding: body))?.kind.rawValue)
    case .octets(let octets, let kind): DefectStream.Item(octets: octets, type: kind.rawValue)
    }
  }

  private func pump(_ stream: DefectStream) {
    guard stream.offered == nil, !stream.isFull else { return }
    guard let first = stream.queue.first else {
      answers += Array(repeating: stream.id, count: stream.owedAnswers)
      stream.owedAnswers = 0
      if stream.finishes {
        stream.finishes = false
        effects.append(.network(.finish(stream.id)))
      }
      return
    }
    if defect.holding?(self, stream) ?? false { return }
    let piece = Array(first.octets[first.taken...].prefix(Self.pieceOctets))
    stream.offered = piece.count
    effects.append(.network(.send(stream.id, octets: piece)))
  }

  /// An answer to something that this layer has sent.
  private func takesAnswer(_ input: AppInput) -> Bool {
    switch input.network {
    case .submitted(let id, let isAccepted):
      guard let stream = stream(id), let offered = stream.offered else { return false }
      stream.offered = nil
      stream.isFull = !isAccepted
      if isAccepted, !stream.queue.isEmpty {
        stream.queue[0].taken += offered
        let first = stream.queue[0]
        if first.taken == first.octets.count {
          stream.queue.removeFirst()
          if let type = first.type { show(.packetSent(id, type: type, octets: first.octets.count)) }
        }
      }
      pump(stream)
      return true
    case .room(let id):
      guard let stream = stream(id), stream.isFull else { return false }
      stream.isFull = false
      pump(stream)
      return true
    default: return false
    }
  }
}
