import Network

/// One stream of a guest, from the attempt to its end.
final class GuestStream {
  let stream: P2PStream
  /// Opened over a better path beside another one.
  let isSecond: Bool
  var isUp = false
  var decoder = LengthFraming.Decoder()
  var isComplete = false
  var upTo: Int?
  var nextOfHistory = 1
  /// Since when it can carry nothing; nil: it can.
  var deadSince: Double?
  var lastGrowth = 0.0
  let stall = Alarm()
  let viability = Alarm()

  init(_ stream: P2PStream, isSecond: Bool) {
    self.stream = stream
    self.isSecond = isSecond
  }

  func stop() {
    stall.cancel()
    viability.cancel()
  }
}
