public import AppSeam

/// The BLE half that the bench provides for an engine that knows peers and whole messages, and no radio.
///
/// The engine is told `launched`, `user`, `timer`, `background` and `radioPower` as every app is, and of links only
/// `connected` (of a peer that can be sent to; what is sent waits until the link is ready), `disconnected`, and
/// `valueReceived` with a whole message. It asks for `notify` or `write` with a whole message, `disconnect`, timers and
/// reports; to be found or not, a host asks with `advertise` and `stopAdvertising`, a client that looks for one with
/// `scan` and `stopScanning`. Everything else about the radio is the glue's.
public struct EngineGlue: Sendable {
  /// Shown for a purpose that judges the glue and not the engine.
  static let reason = "judges the BLE half, which is the bench's"

  /// Puts the BLE half around an engine.
  public let make: @Sendable (_ engine: any AppEngine, _ configuration: AppConfiguration) -> any AppEngine
  /// Groups of purposes, first clauses of purposes (a number that ends with a point stands for all below it), and
  /// single purposes that judge only the BLE half.
  let halves: [String]

  public init(
    judgedBy halves: [String],
    make: @escaping @Sendable (_ engine: any AppEngine, _ configuration: AppConfiguration) -> any AppEngine
  ) {
    self.halves = halves
    self.make = make
  }

  /// Whether a purpose says nothing about the engine.
  func isJudged(by purpose: TestPurpose) -> Bool {
    let clause = purpose.clauses.first ?? ""
    return halves.contains { half in
      half == purpose.group || half == purpose.id || half == clause || half.hasSuffix(".") && clause.hasPrefix(half)
    }
  }
}
