/// Which wishes the bench below a virtual phone grants; none of them today.
package struct PhoneAbilities: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The server's half of `PhoneWish`: services by key, requests that the app answers.
  package static let server = Self(rawValue: 0x01)
  /// The client's half: discovery in steps, attributes by handle.
  package static let client = Self(rawValue: 0x02)
  /// `readRSSI`.
  package static let signalStrength = Self(rawValue: 0x04)
  /// L2CAP channels.
  package static let channels = Self(rawValue: 0x08)
  /// `setLatency`.
  package static let latency = Self(rawValue: 0x10)
  package static let all: Self = [.server, .client, .signalStrength, .channels, .latency]
}

extension PhoneWish {
  /// What is needed to grant it.
  package var ability: PhoneAbilities {
    switch self {
    case .publish, .unpublish, .answer, .notify: .server
    case .discoverServices, .discoverIncluded, .discoverCharacteristics, .discoverDescriptors, .read, .write,
      .writeWithoutResponse, .configure:
      .client
    case .readRSSI: .signalStrength
    case .setLatency: .latency
    case .publishChannel, .unpublishChannel, .openChannel, .sendOnChannel, .closeChannel: .channels
    }
  }
}
