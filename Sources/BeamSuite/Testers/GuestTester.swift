import AppSeam
import BeamScribe
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// A lower tester that plays a guest.
final class GuestTester: LowerTester {
  /// Services that its browser shows.
  private(set) var found: [(endpoint: EndpointID, name: String, interfaces: [NetworkInterface])] = []
  /// Everything that its browser has ever shown.
  private(set) var names: [String] = []
  private(set) var advertisements: [(instant: SimInstant, advertisement: Advertisement)] = []
  /// Over what it connects next.
  var interfaces: [NetworkInterface] = [.infrastructure, .peerToPeer]
  /// `mpc`: asks for its seat as soon as its stream is ready.
  var invitesByItself = true
  /// What it does with each new stream at once: for guests that come and go.
  var greets: ((TesterStream) -> Void)?
  private var isBrowsing = false
  private var nextConnection = 2

  override func receive(_ input: AppInput, at now: SimInstant) {
    if case .discovered(let advertisement) = input { advertisements.append((now, advertisement)) }
  }

  override func hear(_ input: NetworkInput, at now: SimInstant) {
    switch input {
    case .found(let endpoint, _, let name, let interfaces, _):
      found.append((endpoint, name, interfaces))
      names.append(name)
    case .changed(let endpoint, let interfaces):
      for place in found.indices where found[place].endpoint == endpoint { found[place].interfaces = interfaces }
    case .lost(let endpoint): found.removeAll { $0.endpoint == endpoint }
    default: break
    }
    super.hear(input, at: now)
  }

  override func began(_ stream: TesterStream) {
    if dialect == .beamMPC, invitesByItself { send(Frame(.invitation).encoded(format), on: stream) }
    greets?(stream)
  }

  /// Looks for services of the dialect's type, without a step.
  func look() {
    guard !isBrowsing else { return }
    isBrowsing = true
    ask(.browse(type: bed.serviceType, peerToPeer: true))
  }

  /// Listens to advertisements of anybody.
  func scan() {
    guard gives("scans") else { return }
    ask(.scan(services: []))
  }

  /// Opens a connection to what was found last, without waiting for it and without a step.
  func dial() {
    guard let target = found.last else { return }
    ask(.connect(ConnectionID(nextConnection), ConnectRequest(endpoint: target.endpoint, interfaces: interfaces)))
    nextConnection += 2
  }

  /// Browses, connects to the event of the implementation, and waits until the stream is ready.
  @discardableResult
  func connect(over interfaces: [NetworkInterface]? = nil) throws -> TesterStream {
    if let interfaces { self.interfaces = interfaces }
    look()
    let wanted = self.interfaces
    try bed.expect("\(name) finds the IUT's service", within: .seconds(10), actual: { "it is not found" }) {
      found.last.map { found in wanted.contains { found.interfaces.contains($0) } } ?? false
    }
    let (count, known) = (streams.count, bed.iut.incoming(name).count)
    if gives("connects") { dial() }
    try bed.expect("\(name)'s stream is ready", within: .seconds(15), actual: { "it is not ready" }) {
      streams.count > count && bed.iut.incoming(name).count > known
    }
    guard let stream = newestStream else { throw bed.inconclusive("\(name) has no stream") }
    return stream
  }

  /// Connects, and waits until the whole history is there.
  @discardableResult
  func join(over interfaces: [NetworkInterface]? = nil) throws -> TesterStream {
    let stream = try connect(over: interfaces)
    try expectHistory(on: stream)
    return stream
  }

  /// The history must be complete in time.
  func expectHistory(
    within limit: SimDuration = .seconds(8), on stream: TesterStream, clause: String? = nil
  ) throws {
    try bed.expect("\(name) is sent the history", within: limit, clause: clause, actual: { self.words(stream) }) {
      stream.histories.first.map { $0.upToSequence == stream.histories.reduce(0) { $0 + $1.chunks.count } } ?? false
    }
  }

  /// A packet must come, or have come, on a stream.
  func expect(
    _ text: String, within limit: SimDuration = .seconds(5), on stream: TesterStream? = nil, clause: String? = nil,
    where condition: (TesterStream) -> Bool
  ) throws {
    guard let stream = stream ?? newestStream else { throw bed.inconclusive("\(name) has no stream") }
    try bed.expect("\(name) \(text)", within: limit, clause: clause, actual: { self.words(stream) }) {
      condition(stream)
    }
  }

  /// What came on a stream, for people.
  func words(_ stream: TesterStream) -> String {
    var words = stream.frames.suffix(5).map(\.words)
    if let framing = stream.framing { words.append("a broken frame with \(framing.words)") }
    if stream.rest > 0 { words.append("\(stream.rest) octets of a frame") }
    if words.isEmpty { words = ["nothing"] }
    return "came: " + words.joined(separator: ", ") + (stream.isUp ? "" : "; the stream has ended")
  }
}
