import AppSeam
import SimKernel

/// A socket of a device: one end of a TCP stream, or of an exchange of datagrams.
///
/// An app's connection has one; while interfaces race for it, one for each.
final class NetworkLeg {
  let index: Int
  let device: Int
  let remote: Int
  let interface: NetworkInterface
  let localPort: UInt16
  let remotePort: UInt16
  /// nil: datagrams.
  let end: StreamEnd?
  /// The same, looked at for every segment.
  let keptEnd: Kept<StreamEnd>?
  /// The sequence number of the SYN in captures.
  let initialSequence: UInt32
  /// The leg at the other end; -1 until a packet has arrived there.
  @exclusivity(unchecked) var peer = -1
  /// Its connection; -1: none yet, or no more.
  @exclusivity(unchecked) var connection = -1
  /// Where it came in, until its app was told.
  @exclusivity(unchecked) var listener: NetworkListener?
  @exclusivity(unchecked) var timer: EventHandle?
  @exclusivity(unchecked) var timerInstant = SimInstant.distantFuture
  /// Its end did when the timer was set.
  @exclusivity(unchecked) var waitsForAnswer = false
  /// Datagrams that were not read.
  let inbox = Fifo<[UInt8]>()
  /// Nobody answers for it any more, except with RST.
  @exclusivity(unchecked) var isGone = false

  static let longestInbox = 256

  init(
    _ index: Int, device: Int, remote: Int, interface: NetworkInterface, localPort: UInt16, remotePort: UInt16,
    end: StreamEnd?, initialSequence: UInt32
  ) {
    self.index = index
    self.device = device
    self.remote = remote
    self.interface = interface
    self.localPort = localPort
    self.remotePort = remotePort
    self.end = end
    keptEnd = end.map { Kept($0) }
    self.initialSequence = initialSequence
  }
}

/// A connection as an app knows it.
final class NetworkConnection {
  enum State {
    /// There is no path.
    case waiting
    case connecting
    case ready
    case over
  }

  let index: Int
  let device: Int
  let id: ConnectionID
  /// nil: it came in.
  let request: ConnectRequest?
  let isDatagram: Bool
  @exclusivity(unchecked) var state: State
  /// The leg that carries it; -1: none yet.
  @exclusivity(unchecked) var leg = -1
  /// Legs that race, in the order of preference.
  @exclusivity(unchecked) var racing: [Int] = []
  /// Interfaces that came to nothing in this attempt.
  @exclusivity(unchecked) var failed: [NetworkInterface] = []
  @exclusivity(unchecked) var lastFailure = NetworkReason.timedOut
  @exclusivity(unchecked) var reads = true
  /// It is among what waits for the app.
  @exclusivity(unchecked) var isQueued = false
  @exclusivity(unchecked) var endIsTold = false
  @exclusivity(unchecked) var isViable = true
  @exclusivity(unchecked) var hasBetter = false
  @exclusivity(unchecked) var timeout: EventHandle?
  @exclusivity(unchecked) var race: EventHandle?
  @exclusivity(unchecked) var grace: EventHandle?
  /// Pieces that were handed over, which draws of their lengths count.
  @exclusivity(unchecked) var pieces: UInt64 = 0

  init(
    _ index: Int, device: Int, id: ConnectionID, request: ConnectRequest?, isDatagram: Bool, state: State
  ) {
    self.index = index
    self.device = device
    self.id = id
    self.request = request
    self.isDatagram = isDatagram
    self.state = state
  }
}
