import CoreBluetooth

/// All names of remarks about the network, by topic.
extension CBRemark.Name {
  private static func name(_ text: String) -> Self { Self(rawValue: text) }

  // Objects.
  static let noPhoneForNetwork = name("network.no-phone")
  static let startedTwice = name("network.started-twice")
  static let startedAfterCancel = name("network.started-after-cancel")
  static let tlsNotModelled = name("network.tls")
  static let endpointNotModelled = name("network.endpoint")
  static let severalFramers = name("network.several-framers")
  static let transportMissing = name("network.no-transport")
  // Connections.
  static let sendAfterEnd = name("connection.send-after-end")
  static let sendOnEnded = name("connection.send-on-ended")
  static let receiveLimits = name("connection.receive-limits")
  static let datagramTooLong = name("connection.datagram-too-long")
  static let noStateHandler = name("connection.no-state-handler")
  // Listeners.
  static let noConnectionHandler = name("listener.no-connection-handler")
  static let listenerWithoutService = name("listener.no-service")
  static let severalListeners = name("listener.several")
  static let noTextRecord = name("listener.txt-record")
  // Browsers.
  static let browserKind = name("browser.kind")
  // Framers.
  static let framerWroteTooMuch = name("framer.wrote-too-much")
}
