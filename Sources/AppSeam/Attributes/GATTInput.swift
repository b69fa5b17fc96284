public import BluetoothWire

/// What an app that names attributes one by one is told about them (`GATTEffect`).
///
/// `error` is the code of an ATT error response (Core v5.4, Vol 3, Part F, 3.4.1.1); nil is success.
public enum GATTInput: Hashable, Sendable {
  // Server.
  /// Answer to `publish`; 0x11 (insufficient resources) when there are no handles left.
  case published(ServiceKey, error: UInt8?)
  /// A client wrote the Client Characteristic Configuration.
  case subscription(LinkID, AttributeKey, type: BluetoothUUID, Bool)
  /// A client reads a value or descriptor that is not fixed, from an offset on. The app answers.
  case readAsked(RequestID, LinkID, AttributeKey, type: BluetoothUUID, offset: Int)
  /// A client writes: one part, or all parts of prepared writes when they are executed; the type is that of the first
  /// part's attribute. The app answers if `needsAnswer`.
  case writesAsked(RequestID, LinkID, type: BluetoothUUID, [WritePart], needsAnswer: Bool)
  /// A client prepares a part of a value whose parts the app wants to see (`AttributePermissions.parts`). The app
  /// answers with the octets that the client is told; those that came are kept, and come again in `executeAsked`.
  case partAsked(RequestID, LinkID, type: BluetoothUUID, WritePart)
  /// A client has such parts written, or takes them back; the type is that of the first part's attribute. The app
  /// answers.
  case executeAsked(RequestID, LinkID, type: BluetoothUUID, [WritePart], isMeant: Bool)
  /// Answer to `notify`; false: nothing was sent, and `readyToSend` follows unless the client is not subscribed.
  case notifySubmitted(LinkID, AttributeKey, type: BluetoothUUID, accepted: Bool)
  /// The client's host has confirmed the indication that `notify` was (Core v5.4, Vol 3, Part F, 3.4.7.3); no
  /// notification is confirmed.
  case confirmed(LinkID, AttributeKey, type: BluetoothUUID)

  // Client.
  case services(LinkID, [FoundService], error: UInt8?)
  case included(LinkID, of: FoundService, [FoundService], error: UInt8?)
  case characteristics(LinkID, of: FoundService, [FoundCharacteristic], error: UInt8?)
  case descriptors(LinkID, of: FoundCharacteristic, [FoundDescriptor], error: UInt8?)
  case valueRead(LinkID, ATT.Handle, type: BluetoothUUID, octets: [UInt8], error: UInt8?)
  case valueWritten(LinkID, ATT.Handle, type: BluetoothUUID, error: UInt8?)
  /// Answer to `prepare`: where and what the server says that it keeps.
  case prepared(LinkID, ATT.Handle, type: BluetoothUUID, offset: Int, octets: [UInt8], error: UInt8?)
  /// Answer to `execute`.
  case executed(LinkID, error: UInt8?)
  /// Answer to `writeWithoutResponse`; false: no room, nothing was sent, and `readyToSend` follows.
  case submitted(LinkID, ATT.Handle, type: BluetoothUUID, accepted: Bool)
  case configured(LinkID, ATT.Handle, type: BluetoothUUID, Bool, error: UInt8?)
  /// A notification or indication.
  case notified(LinkID, ATT.Handle, type: BluetoothUUID, octets: [UInt8])
  /// The server's attribute table changed in this range: what was found there is void.
  case servicesChanged(LinkID, start: ATT.Handle, end: ATT.Handle)
  /// Answer to `readRSSI`, dBm; 127 when the controller cannot say (Core v5.4, Vol 4, Part E, 7.5.4).
  case rssi(LinkID, Int)
}

extension GATTInput: AppStatement {
  public static let words: [GATTInput] = [
    .published(ServiceKey(0), error: nil), .subscription(LinkID(0), AttributeKey(0), type: BluetoothUUID(0), false),
    .readAsked(RequestID(0), LinkID(0), AttributeKey(0), type: BluetoothUUID(0), offset: 0),
    .writesAsked(RequestID(0), LinkID(0), type: BluetoothUUID(0), [], needsAnswer: false),
    .notifySubmitted(LinkID(0), AttributeKey(0), type: BluetoothUUID(0), accepted: false),
    .confirmed(LinkID(0), AttributeKey(0), type: BluetoothUUID(0)),
    .services(LinkID(0), [], error: nil), .included(LinkID(0), of: .empty, [], error: nil),
    .characteristics(LinkID(0), of: .empty, [], error: nil), .descriptors(LinkID(0), of: .empty, [], error: nil),
    .valueRead(LinkID(0), 0, type: BluetoothUUID(0), octets: [], error: nil),
    .valueWritten(LinkID(0), 0, type: BluetoothUUID(0), error: nil),
    .submitted(LinkID(0), 0, type: BluetoothUUID(0), accepted: false),
    .configured(LinkID(0), 0, type: BluetoothUUID(0), false, error: nil),
    .notified(LinkID(0), 0, type: BluetoothUUID(0), octets: []), .servicesChanged(LinkID(0), start: 0, end: 0),
    .rssi(LinkID(0), 0), .partAsked(RequestID(0), LinkID(0), type: BluetoothUUID(0), .empty),
    .executeAsked(RequestID(0), LinkID(0), type: BluetoothUUID(0), [], isMeant: false),
    .prepared(LinkID(0), 0, type: BluetoothUUID(0), offset: 0, octets: [], error: nil),
    .executed(LinkID(0), error: nil),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .published, .subscription, .readAsked, .writesAsked, .notifySubmitted, .confirmed: try visitServer(&visitor)
    case .partAsked, .executeAsked, .prepared, .executed: try visitPrepared(&visitor)
    case .services, .included, .characteristics, .descriptors, .servicesChanged: try visitDiscovery(&visitor)
    case .valueRead, .valueWritten, .submitted, .configured, .notified, .rssi: try visitClient(&visitor)
    }
  }

  private mutating func visitServer<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .published(var key, var error):
      try visitor.word("gatt.published")
      try key.visit(&visitor)
      try visitor.field("error", &error)
      self = .published(key, error: error)
    case .subscription(var link, var key, var type, var isOn):
      try visitor.word("gatt.subscription")
      try visitor.own(&link, &key, &type)
      try visitor.field("on", &isOn)
      self = .subscription(link, key, type: type, isOn)
    case .readAsked(var request, var link, var key, var type, var offset):
      try visitor.word("gatt.readAsked")
      try visitor.field("request", &request.rawValue)
      try visitor.own(&link, &key, &type)
      try visitor.field("offset", &offset)
      self = .readAsked(request, link, key, type: type, offset: offset)
    case .writesAsked(var request, var link, var type, var parts, var needsAnswer):
      try visitor.word("gatt.writesAsked")
      try visitor.field("request", &request.rawValue)
      try visitor.field("link", &link)
      try visitor.field("type", &type)
      try visitor.records("parts", &parts)
      try visitor.field("needsAnswer", &needsAnswer)
      self = .writesAsked(request, link, type: type, parts, needsAnswer: needsAnswer)
    case .notifySubmitted(var link, var key, var type, var isAccepted):
      try visitor.word("gatt.notifySubmitted")
      try visitor.own(&link, &key, &type)
      try visitor.field("accepted", &isAccepted)
      self = .notifySubmitted(link, key, type: type, accepted: isAccepted)
    case .confirmed(var link, var key, var type):
      try visitor.word("gatt.confirmed")
      try visitor.own(&link, &key, &type)
      self = .confirmed(link, key, type: type)
    default: break
    }
  }

  private mutating func visitDiscovery<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .services(var link, var found, var error):
      try visitor.word("gatt.services")
      try visitor.field("link", &link)
      try visitor.records("services", &found)
      try visitor.field("error", &error)
      self = .services(link, found, error: error)
    case .included(var link, var service, var found, var error):
      try visitor.word("gatt.included")
      try visitor.field("link", &link)
      try service.visit(&visitor)
      try visitor.records("services", &found)
      try visitor.field("error", &error)
      self = .included(link, of: service, found, error: error)
    case .characteristics(var link, var service, var found, var error):
      try visitor.word("gatt.characteristics")
      try visitor.field("link", &link)
      try service.visit(&visitor)
      try visitor.records("characteristics", &found)
      try visitor.field("error", &error)
      self = .characteristics(link, of: service, found, error: error)
    case .descriptors(var link, var characteristic, var found, var error):
      try visitor.word("gatt.descriptors")
      try visitor.field("link", &link)
      try characteristic.visit(&visitor)
      try visitor.records("descriptors", &found)
      try visitor.field("error", &error)
      self = .descriptors(link, of: characteristic, found, error: error)
    case .servicesChanged(var link, var start, var end):
      try visitor.word("gatt.servicesChanged")
      try visitor.field("link", &link)
      try visitor.field("start", &start)
      try visitor.field("end", &end)
      self = .servicesChanged(link, start: start, end: end)
    default: break
    }
  }

  private mutating func visitPrepared<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .partAsked(var request, var link, var type, var part):
      try visitor.word("gatt.partAsked")
      try visitor.field("request", &request.rawValue)
      try visitor.field("link", &link)
      try visitor.field("type", &type)
      try part.visit(&visitor)
      self = .partAsked(request, link, type: type, part)
    case .executeAsked(var request, var link, var type, var parts, var isMeant):
      try visitor.word("gatt.executeAsked")
      try visitor.field("request", &request.rawValue)
      try visitor.field("link", &link)
      try visitor.field("type", &type)
      try visitor.records("parts", &parts)
      try visitor.field("write", &isMeant)
      self = .executeAsked(request, link, type: type, parts, isMeant: isMeant)
    case .prepared(var link, var handle, var type, var offset, var octets, var error):
      try visitor.word("gatt.prepared")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("offset", &offset)
      try visitor.field("octets", &octets)
      try visitor.field("error", &error)
      self = .prepared(link, handle, type: type, offset: offset, octets: octets, error: error)
    case .executed(var link, var error):
      try visitor.word("gatt.executed")
      try visitor.field("link", &link)
      try visitor.field("error", &error)
      self = .executed(link, error: error)
    default: break
    }
  }

  private mutating func visitClient<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .valueRead(var link, var handle, var type, var octets, var error):
      try visitor.word("gatt.valueRead")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("octets", &octets)
      try visitor.field("error", &error)
      self = .valueRead(link, handle, type: type, octets: octets, error: error)
    case .valueWritten(var link, var handle, var type, var error):
      try visitor.word("gatt.valueWritten")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("error", &error)
      self = .valueWritten(link, handle, type: type, error: error)
    case .submitted(var link, var handle, var type, var isAccepted):
      try visitor.word("gatt.submitted")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("accepted", &isAccepted)
      self = .submitted(link, handle, type: type, accepted: isAccepted)
    case .configured(var link, var handle, var type, var isOn, var error):
      try visitor.word("gatt.configured")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("on", &isOn)
      try visitor.field("error", &error)
      self = .configured(link, handle, type: type, isOn, error: error)
    case .notified(var link, var handle, var type, var octets):
      try visitor.word("gatt.notified")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("octets", &octets)
      self = .notified(link, handle, type: type, octets: octets)
    case .rssi(var link, var level):
      try visitor.word("gatt.rssi")
      try visitor.field("link", &link)
      try visitor.field("rssi", &level)
      self = .rssi(link, level)
    default: break
    }
  }
}

extension WordVisitor {
  /// An attribute of this device.
  fileprivate mutating func own(
    _ link: inout LinkID, _ key: inout AttributeKey, _ type: inout BluetoothUUID
  ) throws(Failure) {
    try field("link", &link)
    try field("attribute", &key.rawValue)
    try field("type", &type)
  }
}
