package import AppSeam
package import BluetoothWire

/// What CoreBluetooth asks of the phone below and `AppEffect` has no case for.
///
/// Each case is a proposal for the seam: `corebluetooth.md` lists them with meaning and answer. A phone whose bench
/// does not grant them lowers them to what the seam has (`BareSeam`), or refuses them with Apple's error and a remark.
package enum PhoneWish: Hashable, Sendable {
  // Server.
  /// Adds a service to the attribute table. Answer: `published`.
  case publish(ServiceRecord)
  /// Removes it; subscribed and bonded centrals are told by Service Changed. No answer.
  case unpublish(ServiceKey)
  /// The app's answer to `readAsked` or `writesAsked`: the value from the offset on, or an ATT error code.
  case answer(RequestID, value: [UInt8], error: UInt8?)
  /// A notification, or an indication where the characteristic has only that, to one central.
  /// Answer: `notifySubmitted`, one each, in order.
  case notify(LinkID, AttributeKey, [UInt8])
  /// The latency that the app would like on a link on which this phone is the peripheral. No answer.
  case setLatency(LinkID, Latency)

  // Client.
  /// All primary services, or those of these UUIDs. Answer: `services`.
  case discoverServices(LinkID, [BluetoothUUID]?)
  /// Answer: `included`.
  case discoverIncluded(LinkID, FoundService, [BluetoothUUID]?)
  /// Answer: `characteristics`.
  case discoverCharacteristics(LinkID, FoundService, [BluetoothUUID]?)
  /// Answer: `descriptors`.
  case discoverDescriptors(LinkID, FoundCharacteristic)
  /// Reads a value, or a descriptor, of up to 512 octets. Answer: `valueRead`.
  case read(LinkID, ATT.Handle)
  /// Writes with response, in parts when the value is longer than ATT_MTU − 3. Answer: `valueWritten`.
  case write(LinkID, ATT.Handle, [UInt8])
  /// Answer: `submitted`, one each, in order.
  case writeWithoutResponse(LinkID, ATT.Handle, [UInt8])
  /// Writes the Client Characteristic Configuration of the characteristic with this value handle. Answer: `configured`.
  case configure(LinkID, ATT.Handle, Bool)
  /// Answer: `rssi`.
  case readRSSI(LinkID)

  // Channels (L2CAP, LE credit-based).
  /// Listens on a PSM of the system's choice. Answer: `channelPublished`.
  case publishChannel(isEncrypted: Bool)
  /// Listens no more; open channels stay. Answer: `channelUnpublished`.
  case unpublishChannel(UInt16)
  /// Answer: `channelOpened`.
  case openChannel(LinkID, psm: UInt16)
  /// Octets of a channel's stream. Answer: `channelSent`.
  case sendOnChannel(ChannelID, [UInt8])
  /// Answer: `channelClosed`.
  case closeChannel(ChannelID)

  package enum Latency: Hashable, Sendable { case low, medium, high }
}

/// What a phone asks, in order: what the seam has, and what it lacks.
package enum PhoneStep: Hashable, Sendable {
  case effect(AppEffect)
  case wish(PhoneWish)
}
