package import Conformance

/// What an implementation of BeamScribe may claim. What every host and every guest must do (listen, browse, gate,
/// frame, number, retry) is no item and is always tested.
extension ICS.Item {
  package static let beamScreen = Self(
    name: "screen", text: "Says what its screen shows: state, finals, partials, alerts, and what it refuses (BEAM 10).")
  package static let beamBLE = Self(name: "ble", text: "Uses BLE to be found, and to find, sooner (BEAM 5.2).")
  package static let beamMPC = Self(name: "mpc", text: "Speaks the old transport too (BEAM 6).")
  package static let beamBetterPath = Self(
    name: "better-path", text: "Moves to infrastructure when it is there (BEAM 5.11.3).")
  package static let beamResume = Self(
    name: "resume", text: "A host keeps its transcript over a relaunch (BEAM 5.7.3).")
  package static let beamLatency = Self(
    name: "latency", text: "Writes, or reports by, the time at which chunks were sent (BEAM 9).")

  /// All of them, in the order of lists.
  static let beamScribe: [Self] = [.beamScreen, .beamBLE, .beamMPC, .beamBetterPath, .beamResume, .beamLatency]
}
