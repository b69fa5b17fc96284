import SimKernel

/// Every time an oracle waits before it calls something late, with the reason.
enum Bounds {
  /// Guests of a host: eight peers, the host counted (BEAM 1.3).
  static let guests = 7
  /// A length beyond this is none: nobody waits for so many octets to say that the limit of a body is broken.
  static let plausibleFrame = 1 << 26
  /// The octets that a name on the air has at most (BEAM 5.2.2).
  static let advertisedOctets = 8
  /// From a final, an alert or an open gate to the screens of guests: a path that cannot carry a chunk in this time is
  /// dead, or its device is excused.
  static let arrives = SimDuration.seconds(2)
  /// The gate of BEAM 5.4.1.
  static let gate = SimDuration.seconds(4)
  /// A guest that ends earlier is unstable (BEAM 5.4.5).
  static let unstable = SimDuration.seconds(5)
  /// The waits of BEAM 5.9.2.
  static let retries: [SimDuration] = [.seconds(1), .seconds(2), .seconds(4)]
  /// From the last stream's end to the order to advertise or scan.
  static let bluetoothResumes = SimDuration.milliseconds(100)
  /// From the instant at which nothing keeps host and guest apart to a stream: three retries (7 s), a search over
  /// sleeping AWDL (8 s), and connecting.
  static let returns = SimDuration.seconds(30)
  /// Keep-alive (20 s), and three retries of 10 s each with their waits.
  static let vanishingIsNoticed = SimDuration.seconds(60)
  /// After something that the bench did to it, a device owes nothing for so long.
  static let settles = SimDuration.seconds(5)
  /// What leaves a host on two streams may be captured in the other order when it is less than so long apart.
  static let capturedInOrder = SimDuration.seconds(2)
  /// The same where both streams share the host's address, and so its queue.
  static let capturedOnOnePath = SimDuration.milliseconds(250)
  /// In a capture: a guest that was heard for so long after something was due shows that its stream carried all that
  /// time; the longest pause between two attempts to repeat a segment is shorter after a silence that nobody noticed.
  static let carriesInCapture = SimDuration.seconds(17)
  /// In a capture: from the instant at which something is asked for to its first packet, with names and addresses
  /// looked up.
  static let leavesInCapture = SimDuration.milliseconds(500)
}
