public import BluetoothWire

/// What a host stack tells its owner, in the order in which it happened.
public enum HostEvent: Hashable, Sendable {
  /// The controller has answered the initialisation; advertising, scanning and connecting work from here on.
  case poweredOn
  /// The controller, or the path to it, broke its contract: an unanswered command, a credit too many, a hardware
  /// error. The stack went on; after a hardware error by a reset that ended all links.
  case controllerFault(String)
  /// The controller does not answer its resets, or repeatedly ends in hardware errors: the stack is off.
  case controllerLost

  /// Answer to `startAdvertising`; anything but success means that nothing is on the air.
  case advertisingStarted(HCI.ErrorCode)
  /// After `stopAdvertising`, or because a connection ended advertising, as the specification has it.
  case advertisingStopped
  /// Directed advertising with a high duty cycle has ended after 1.28 s without a connection.
  case advertisingTimedOut
  /// Answer to `startAdvertisingSet`; anything but success means that the set is not on the air.
  case advertisingSetStarted(UInt8, HCI.ErrorCode)
  /// A connection has ended an advertising set, or a reset of the controller.
  case advertisingSetEnded(UInt8)
  /// Sent when an advertiser is first heard, and again each time its data or scan response changed, or for every packet
  /// if that was asked for. The scan response is empty as long as none was heard. Connectable: the newest advertisement
  /// is ADV_IND, and not ADV_NONCONN_IND or ADV_SCAN_IND (Core v5.4, Vol 6, Part B, 2.3.1). A scan response does not
  /// say so.
  case scanReport(BluetoothAddress, data: [UInt8], scanResponse: [UInt8], rssi: Int8, isConnectable: Bool)
  /// The same of an advertiser whose newest advertisement is an extended one.
  case extendedScanReport(
    BluetoothAddress, data: [UInt8], scanResponse: [UInt8], rssi: Int8, isConnectable: Bool, HeardSet)
  /// An advertiser directs its advertising at this device (ADV_DIRECT_IND, which has no data); sent once for a scan.
  case directedReport(BluetoothAddress, rssi: Int8)

  case connected(HCI.ConnectionHandle, HostConnection)
  /// An attempt failed: the controller's status, 0x08 when the host gave up, 0x02 after `cancelConnect`,
  /// 0x09 at the limit of links as a central, 0x0B when there is a link with the peer already.
  case connectFailed(BluetoothAddress, reason: HCI.ErrorCode)
  /// A connection that the peer never answered ends here with 0x3E, as the controller tells it.
  case disconnected(HCI.ConnectionHandle, reason: HCI.ErrorCode)
  /// Interval in units of 1.25 ms, timeout in units of 10 ms.
  case connectionParameters(
    HCI.ConnectionHandle, interval: UInt16, peripheralLatency: UInt16, supervisionTimeout: UInt16)
  /// Answer to the peripheral's L2CAP Connection Parameter Update Request.
  case parameterUpdateAnswered(HCI.ConnectionHandle, accepted: Bool)
  /// Largest payloads that the link layer uses, octets.
  case dataLength(HCI.ConnectionHandle, tx: UInt16, rx: UInt16)
  case phy(HCI.ConnectionHandle, tx: HCI.PHY, rx: HCI.PHY)
  /// What `preferPHY` asked for came to nothing.
  case phyRefused(HCI.ConnectionHandle, HCI.ErrorCode)

  /// An exchange has ended, begun by either side; the ATT_MTU that holds from here on.
  case attMTU(HCI.ConnectionHandle, Int)
  /// Answer to `discoverServices`; `tag` here and below is that of the call.
  case primaryServices(HCI.ConnectionHandle, [GATT.DiscoveredService], tag: Int = 0)
  /// Answer to `discover`; no characteristics when there is no such service.
  case servicesDiscovered(
    HCI.ConnectionHandle, service: BluetoothUUID, characteristics: [GATT.DiscoveredCharacteristic])
  /// Server: a client wrote the Client Characteristic Configuration; true when notifications or indications are on.
  case subscriptionChanged(HCI.ConnectionHandle, characteristic: BluetoothUUID, Bool)
  /// Answer to `subscribe`; the Bool is what had been asked for.
  case subscribeCompleted(HCI.ConnectionHandle, characteristic: BluetoothUUID, Bool, error: ATT.ErrorCode?)
  /// Server: a client wrote.
  case valueWritten(HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8], withResponse: Bool)
  /// Server: a client reads a value that the owner answers, from an offset on; `answer(request:value:error:)` ends it.
  case readRequested(HCI.ConnectionHandle, request: Int, attribute: ATT.Handle, offset: Int)
  /// Server: a client writes values that the owner takes; `answer(request:value:error:)` ends it if that is needed.
  case writeRequested(HCI.ConnectionHandle, request: Int, [WrittenPart], needsAnswer: Bool)
  /// Server: a part of a prepared write has come, which the owner wants to be asked for (`GATT.Access.asksForParts`);
  /// `answer(request:value:error:)` ends it, and its value is what the client is told of the part.
  case partRequested(HCI.ConnectionHandle, request: Int, WrittenPart)
  /// Server: a client has such parts written, or takes them back; `answer(request:value:error:)` ends it.
  case executeRequested(HCI.ConnectionHandle, request: Int, [WrittenPart], isMeant: Bool)
  /// Server: as `subscriptionChanged`, for a characteristic that the owner answers, by its value's handle.
  case configurationWritten(HCI.ConnectionHandle, attribute: ATT.Handle, Bool)
  /// Client: a notification or indication came for a discovered characteristic.
  case valueNotified(HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8])
  /// Client: the same, when the characteristic was discovered by handles.
  case attributeNotified(
    HCI.ConnectionHandle, attribute: ATT.Handle, characteristic: BluetoothUUID, value: [UInt8])
  /// Answer to `discoverIncluded`; the error that ended it, unless it is the end of the list.
  case includedFound(
    HCI.ConnectionHandle, ATT.HandleRange, [GATT.DiscoveredService], error: ATT.ErrorCode?, tag: Int = 0)
  /// Answer to `discoverCharacteristics`.
  case characteristicsFound(
    HCI.ConnectionHandle, ATT.HandleRange, [GATT.DiscoveredCharacteristic], error: ATT.ErrorCode?, tag: Int = 0)
  /// Answer to `discoverDescriptors`.
  case descriptorsFound(
    HCI.ConnectionHandle, ATT.HandleRange, [ATT.Information], error: ATT.ErrorCode?, tag: Int = 0)
  /// Answer to `read(_:attribute:)`; the value is what had come when the error stopped it.
  case attributeRead(
    HCI.ConnectionHandle, attribute: ATT.Handle, value: [UInt8], error: ATT.ErrorCode?, tag: Int = 0)
  /// Answer to `write(_:attribute:value:)`.
  case attributeWritten(HCI.ConnectionHandle, attribute: ATT.Handle, error: ATT.ErrorCode?, tag: Int = 0)
  /// Answer to `prepareWrite`: what the server says that it keeps.
  case writePrepared(
    HCI.ConnectionHandle, attribute: ATT.Handle, offset: Int, value: [UInt8], error: ATT.ErrorCode?, tag: Int = 0)
  /// Answer to `executeWrites`.
  case writesExecuted(HCI.ConnectionHandle, error: ATT.ErrorCode?)
  /// Answer to `configure`; the Bool is what had been asked for.
  case attributeConfigured(
    HCI.ConnectionHandle, attribute: ATT.Handle, Bool, error: ATT.ErrorCode?, tag: Int = 0)
  /// Answer to `readRSSI`, dBm; 127 when the controller cannot say.
  case rssi(HCI.ConnectionHandle, Int8)
  /// Answer to `read`; the value is what had come when the error stopped it.
  case readCompleted(HCI.ConnectionHandle, characteristic: BluetoothUUID, value: [UInt8], error: ATT.ErrorCode?)
  /// Answer to `write`.
  case writeCompleted(HCI.ConnectionHandle, characteristic: BluetoothUUID, error: ATT.ErrorCode?)
  /// Server: the client confirmed an indication.
  case indicationConfirmed(HCI.ConnectionHandle, attribute: ATT.Handle, characteristic: BluetoothUUID)
  /// Client: the server's attribute table changed in this range; what was discovered inside it is forgotten.
  case servicesChanged(HCI.ConnectionHandle, start: ATT.Handle, end: ATT.Handle)
  /// `notify`, `indicate` or `writeWithoutResponse` was given more than ATT_MTU − 3 octets; only those were sent.
  case valueTruncated(HCI.ConnectionHandle, characteristic: BluetoothUUID, offered: Int, sent: Int)
  /// `notify`, `indicate` or `writeWithoutResponse` had been refused for want of room, and there is room again.
  case readyToSend(HCI.ConnectionHandle)

  /// A credit based channel is open: asked for by `openChannel`, or by a peer for a service that is listened for.
  case channelOpened(HCI.ConnectionHandle, HostChannel)
  /// Answer to `openChannel`.
  case channelRefused(HCI.ConnectionHandle, HostChannelNumber, psm: UInt16, HostChannelRefusal)
  /// An SDU came, whole; it may be empty.
  case channelReceived(HostChannelNumber, [UInt8])
  /// So many octets that waited on a channel went to the link since the last time, and their room is free again.
  case channelSent(HostChannelNumber, octets: Int)
  /// A channel that was open is closed, or one that the owner closed before it was open.
  case channelClosed(HostChannelNumber, HostChannelEnd)
  /// The link is encrypted, or no longer; with an error, what was asked for has failed and the level is what it was.
  case securityChanged(HCI.ConnectionHandle, SecurityLevel, error: PairingError?)
  /// A pairing has begun, whoever asked for it; `paired`, `securityChanged` with an error, or `disconnected` ends it.
  case pairingBegan(HCI.ConnectionHandle)
  /// Both devices show a number, 0 … 999999, with six digits; `answerPairing` says whether they are equal.
  case pairingConfirm(HCI.ConnectionHandle, UInt32)
  /// The other device shows a number, or both users choose one; `answerPairing` tells it.
  case passkeyNeeded(HCI.ConnectionHandle)
  /// The number, 0 … 999999, that the user types into the other device.
  case passkeyShown(HCI.ConnectionHandle, UInt32)
  /// A pairing has ended well, after `securityChanged`; with a bond, the peer's identity in `HostStack.bonds`. The last
  /// keys may still be on their way to the peer: a disconnection right now can keep them from it.
  case paired(HCI.ConnectionHandle, BluetoothAddress?)

  /// The peer sent what its specification forbids; the stack went on as the specification says.
  case protocolViolation(HCI.ConnectionHandle, String)
  /// 30 s without a response or confirmation: no more ATT on this link (Vol 3, Part F, 3.3.3).
  case transactionTimeout(HCI.ConnectionHandle)
}

/// A connection as it was made.
public struct HostConnection: Hashable, Sendable {
  public var role: HCI.Role
  public var peer: BluetoothAddress
  /// Units of 1.25 ms.
  public var interval: UInt16
  public var peripheralLatency: UInt16
  /// Units of 10 ms.
  public var supervisionTimeout: UInt16

  public init(
    role: HCI.Role, peer: BluetoothAddress, interval: UInt16, peripheralLatency: UInt16, supervisionTimeout: UInt16
  ) {
    self.role = role
    self.peer = peer
    self.interval = interval
    self.peripheralLatency = peripheralLatency
    self.supervisionTimeout = supervisionTimeout
  }
}
