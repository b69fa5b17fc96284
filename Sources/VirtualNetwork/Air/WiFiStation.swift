import SimKernel

/// A frame that a station has to send.
struct WiFiFrame {
  /// The place of its packet; -1: a beacon, or a synchronisation frame.
  var packet = -1
  /// Devices at the ends of the whole way; -1: the access point or a group.
  var source = -1
  var destination = -1
  /// Between the PPDU's SERVICE field and tail.
  var octets: Int
  /// Sent once, at the basic rate, without an answer (NET 2.7).
  var isUnanswered = false
  /// It goes out more than once for a group, and this is the first one.
  var isFirstOfGroup = false
  /// Captures have its packet already: its receiver could not be reached when it was handed down.
  var isShown = false
  /// The packet's number on its path; 0: there is none that could lose it.
  var number: UInt64 = 0
  var attempts = 0
  var isReceived = false
}

/// A device's radio or the access point, as a channel sees it: queues by receiver, and one turn that it waits for.
final class WiFiStation {
  let index: Int
  @exclusivity(unchecked) var queues: [[WiFiFrame]]
  @exclusivity(unchecked) private var random: RandomStream
  /// The receiver that was served last; the next one has the first turn.
  @exclusivity(unchecked) var served = 0
  /// When it had its last turn: of waits that end together, that of the station goes first whose turn is longest ago.
  @exclusivity(unchecked) var sent = SimInstant.zero
  /// Failures in a row, which widen the window of the back-off.
  @exclusivity(unchecked) var failures = 0

  // While it waits for a turn:
  @exclusivity(unchecked) var isContending = false
  @exclusivity(unchecked) var channel = 0
  @exclusivity(unchecked) var receiver = 0
  /// When the time began for which it waits.
  @exclusivity(unchecked) var opens = SimInstant.zero
  @exclusivity(unchecked) var closes = SimInstant.distantFuture
  @exclusivity(unchecked) var ready = SimInstant.zero

  init(_ index: Int, receivers: Int, random: RandomStream) {
    self.index = index
    queues = Array(repeating: [], count: receivers)
    self.random = random
  }

  var waiting: Int { queues.reduce(0) { $0 + $1.count } }

  func backOff() -> SimDuration {
    WiFiTimes.slot * Int64(random.below(WiFiTimes.contentionWindow(failures: failures)))
  }
}
