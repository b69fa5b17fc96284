public import Conformance

/// What an implementation of BeamScribe may claim. What every host and every guest must do is no item and is always
/// tested.
extension ICS.Item {
  public static let screen = Self(
    name: "screen", text: "Says what it shows and refuses (reports of the app seam, BEAM 10).")
  public static let ble = Self(name: "ble", text: "Advertises, scans and primes (BEAM 5.2).")
  public static let mpc = Self(name: "mpc", text: "Speaks the old transport too (BEAM 6).")
  public static let betterPath = Self(
    name: "better-path", text: "A guest opens a second stream over a better path (BEAM 5.11.3).")
  public static let resume = Self(
    name: "resume", text: "A host keeps its transcript over a relaunch (BEAM 5.7.3).")
  public static let latency = Self(
    name: "latency", text: "A host says when a chunk was sent, and a guest how long it took (BEAM 9).")

  /// All of them, in the order of lists.
  static let beamscribe: [Self] = [.screen, .ble, .mpc, .betterPath, .resume, .latency]
}
