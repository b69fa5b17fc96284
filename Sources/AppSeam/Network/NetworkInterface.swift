/// What a device reaches others over, beside Bluetooth.
public enum NetworkInterface: String, Hashable, Sendable, Codable, CaseIterable {
  /// Wi-Fi through an access point.
  case infrastructure = "wifi"
  /// Wi-Fi from peer to peer (AWDL).
  case peerToPeer = "awdl"
}
