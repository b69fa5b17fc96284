/// What an engine under test is connected by.
public enum EngineSeam: String, Hashable, Sendable, CaseIterable {
  /// The platform's words: advertise, connect, notify.
  case ble
  /// Peers and whole messages; the bench provides the BLE half: `EngineGlue`.
  case messages
}
