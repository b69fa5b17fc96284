import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel

/// A peer that the bench plays: an app on a device like any other, but it does what the procedure says, right or wrong.
///
/// It books what its platform tells it, and ends its side of a stream that the implementation has finished; all else is
/// the procedure's.
class LowerTester: PlayedDevice<BeamBed> {
  let dialect: DialectName
  /// Ends its side when the implementation has finished a stream; off: it stays half closed.
  var answersFinish = true
  /// Streams that it had, the oldest first.
  private(set) var streams: [TesterStream] = []
  /// Everything its platform told it, in order.
  private(set) var told: [(instant: SimInstant, input: AppInput)] = []

  /// - Parameter index: of its device in the world; nil: the case is played without it.
  init(index: Int?, _ device: Device, dialect: DialectName) {
    self.dialect = dialect
    super.init(index: index, device)
  }

  var format: Frame.Format { dialect == .beamMPC ? .kindAndLength : .length }
  /// The newest stream that is up.
  var stream: TesterStream? { streams.last { $0.isUp } }
  var newestStream: TesterStream? { streams.last }
  func stream(_ id: ConnectionID) -> TesterStream? { streams.last { $0.id == id } }

  // MARK: Doing

  func ask(_ effect: NetworkEffect) { ask(.network(effect)) }

  /// Something happens to this tester's device.
  func suffers(_ fault: DeviceFault, _ text: String) {
    guard bed.gives("\(name): \(text)"), !isAbsent else { return }
    bed.world.apply(fault, device: index)
  }

  override func take(_ input: AppInput, at now: SimInstant) {
    told.append((now, input))
    if case .network(let input) = input { hear(input, at: now) } else { receive(input, at: now) }
  }

  /// What the platform tells beside the network.
  func receive(_ input: AppInput, at now: SimInstant) {}

  /// What the network tells; a subclass books its own and calls this.
  func hear(_ input: NetworkInput, at now: SimInstant) {
    switch input {
    case .ready(let id, let interface), .incoming(let id, let interface, _):
      let stream = TesterStream(id: id, interface: interface, start: now, format: format)
      streams.append(stream)
      began(stream)
    case .received(let id, let octets):
      guard let stream = stream(id) else { return }
      let known = stream.frames.count
      stream.receive(octets, at: now, record: bed.newestRecord)
      for frame in stream.frames[known...] { heard(frame, on: stream) }
    case .ended(let id):
      guard let stream = stream(id) else { return }
      stream.finished(at: now)
      if answersFinish {
        stream.close(at: now, .finished)
        ask(.cancel(id))
      }
    case .failed(let id, let reason): stream(id)?.close(at: now, .failed(reason))
    case .submitted(let id, let accepted):
      stream(id)?.answered(accepted: accepted)
      pump(id)
    case .room(let id):
      stream(id)?.hasRoom()
      pump(id)
    default: break
    }
  }

  /// A stream is ready; a subclass may go on.
  func began(_ stream: TesterStream) {}
  func heard(_ frame: HeardFrame, on stream: TesterStream) {}

  // MARK: Sending

  /// Sends octets as they are, on the newest stream that is up.
  func transmit(_ octets: [UInt8], note: String) {
    guard gives(note), let stream else { return }
    send(octets, on: stream)
  }

  /// Without a step.
  func send(_ octets: [UInt8], on stream: TesterStream) {
    stream.enqueue(octets)
    pump(stream.id)
  }

  private func pump(_ id: ConnectionID) {
    guard let stream = stream(id), let effect = stream.next() else { return }
    ask(effect)
  }

  /// A body as the dialect carries it.
  func frame(_ body: [UInt8]) -> [UInt8] { Frame(body: body).encoded(format) }

  /// Ends the newest stream that is up, cleanly where nothing is unread.
  func cancel(_ what: String = "ends its stream") {
    guard gives(what), let stream else { return }
    stream.close(at: bed.now, .own)
    ask(.cancel(stream.id))
  }

  /// Has nothing more to send.
  func finish() {
    guard gives("finishes its stream"), let stream else { return }
    ask(.finish(stream.id))
  }

  func setReading(_ reads: Bool) {
    guard gives(reads ? "reads again" : "reads nothing any more"), let stream else { return }
    ask(.read(stream.id, reads))
  }
}
