package import AppSeam
package import BluetoothWire

/// What CoreBluetooth has to be told and `AppInput` has no case for; see `PhoneWish`.
///
/// `error` is the code of an ATT error response (Core v5.4, Vol 3, Part F, 3.4.1.1); nil is success.
package enum PhoneFact: Hashable, Sendable {
  // Server.
  case published(ServiceKey, error: UInt8?)
  /// A central wrote the Client Characteristic Configuration.
  case subscription(LinkID, AttributeKey, Bool)
  /// A central reads a dynamic value. The app answers.
  case readAsked(RequestID, LinkID, AttributeKey, offset: Int)
  /// A central writes: one part, or all parts of prepared writes at their execution. The app answers if asked to.
  case writesAsked(RequestID, [WritePart], needsAnswer: Bool)
  case notifySubmitted(LinkID, AttributeKey, accepted: Bool)

  // Client.
  case services(LinkID, [FoundService], error: UInt8?)
  case included(LinkID, FoundService, [FoundService], error: UInt8?)
  case characteristics(LinkID, FoundService, [FoundCharacteristic], error: UInt8?)
  case descriptors(LinkID, FoundCharacteristic, [FoundDescriptor], error: UInt8?)
  case valueRead(LinkID, ATT.Handle, [UInt8], error: UInt8?)
  case valueWritten(LinkID, ATT.Handle, error: UInt8?)
  case submitted(LinkID, ATT.Handle, accepted: Bool)
  case configured(LinkID, ATT.Handle, Bool, error: UInt8?)
  /// A notification or indication of the characteristic with this value handle.
  case notified(LinkID, ATT.Handle, [UInt8])
  /// The server's attribute table changed in this range: what was found there is void.
  case servicesChanged(LinkID, start: ATT.Handle, end: ATT.Handle)
  /// dBm; nil when the controller could not say.
  case rssi(LinkID, Int?)

  // Channels.
  case channelPublished(psm: UInt16, isRefused: Bool)
  case channelUnpublished(psm: UInt16)
  /// Answer to `openChannel`, or, on a published PSM, a channel that the peer opened; nil is a refusal.
  case channelOpened(LinkID, psm: UInt16, ChannelID?)
  case channelReceived(ChannelID, [UInt8])
  case channelSent(ChannelID, count: Int)
  case channelClosed(ChannelID)
}

/// A service of this phone: a number, never used twice.
package struct ServiceKey: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A characteristic or descriptor of this phone: a number, never used twice.
package struct AttributeKey: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A request that waits for the app: a number, never used twice.
package struct RequestID: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// An L2CAP channel: a number, never used twice.
package struct ChannelID: Hashable, Sendable {
  package let rawValue: Int
  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A part of a write, as the central sent it.
package struct WritePart: Hashable, Sendable {
  package var link: LinkID
  package var attribute: AttributeKey
  package var offset: Int
  package var octets: [UInt8]
  package init(link: LinkID, attribute: AttributeKey, offset: Int, octets: [UInt8]) {
    self.link = link
    self.attribute = attribute
    self.offset = offset
    self.octets = octets
  }
}
