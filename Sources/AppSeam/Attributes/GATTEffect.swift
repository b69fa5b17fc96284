public import BluetoothWire

/// What an app asks that names attributes one by one: its own by key, those of the other end by handle.
///
/// The words of `AppEffect` name a characteristic by its type, find one service at a time, and let the platform answer
/// reads and writes. These are for apps that need more: two characteristics of one type, descriptors, included
/// services, services that go, requests that the app answers. An app uses these or those. Each word has the type of its
/// attribute beside the number, so that a reader of a trace needs no table.
/// Spec: Core v5.4, Vol 3, Part G, 4.
public enum GATTEffect: Hashable, Sendable {
  // Server.
  /// Adds a service to the attribute table; answered by `published`.
  case publish(LocalService)
  /// Takes a service back; clients that listen to Service Changed are told. No answer.
  case unpublish(ServiceKey)
  /// The app's answer to `readAsked` or `writesAsked`: the value from the offset on, or an ATT error code. A request
  /// that is not answered within 30 s closes the client's bearer (Core v5.4, Vol 3, Part F, 3.3.3).
  case answer(RequestID, value: [UInt8], error: UInt8?)
  /// A notification, or an indication where the client switched only that on, to one subscribed client. Octets beyond
  /// ATT_MTU − 3 are cut off. Answered by `notifySubmitted`, one each, in order.
  case notify(LinkID, AttributeKey, type: BluetoothUUID, octets: [UInt8])

  // Client.
  /// The primary services of these types; none: of any type. Answered by `services`.
  case discoverServices(LinkID, [BluetoothUUID])
  /// Answered by `included`.
  case discoverIncluded(LinkID, FoundService)
  /// Answered by `characteristics`.
  case discoverCharacteristics(LinkID, FoundService)
  /// Answered by `descriptors`.
  case discoverDescriptors(LinkID, FoundCharacteristic)
  /// Reads a value or a descriptor of up to 512 octets; answered by `valueRead`.
  case read(LinkID, ATT.Handle, type: BluetoothUUID)
  /// Writes with response, in parts when the value is longer than ATT_MTU − 3; answered by `valueWritten`.
  case write(LinkID, ATT.Handle, type: BluetoothUUID, octets: [UInt8])
  /// Has the server keep a part of a value, at most ATT_MTU − 5 octets, until `execute`; answered by `prepared`.
  case prepare(LinkID, ATT.Handle, type: BluetoothUUID, offset: Int, octets: [UInt8])
  /// Has the parts that the server keeps written, or dropped; answered by `executed`.
  case execute(LinkID, Bool)
  /// Answered by `submitted`, one each, in order.
  case writeWithoutResponse(LinkID, ATT.Handle, type: BluetoothUUID, octets: [UInt8])
  /// Switches notifications on or off, or indications where there are no notifications, by the value's handle; answered
  /// by `configured`.
  case configure(LinkID, ATT.Handle, type: BluetoothUUID, Bool)
  /// Answered by `rssi`.
  case readRSSI(LinkID)
}

extension GATTEffect: AppStatement {
  public static let words: [GATTEffect] = [
    .publish(.empty), .unpublish(.empty), .answer(RequestID(0), value: [], error: nil),
    .notify(LinkID(0), AttributeKey(0), type: BluetoothUUID(0), octets: []), .discoverServices(LinkID(0), []),
    .discoverIncluded(LinkID(0), .empty), .discoverCharacteristics(LinkID(0), .empty),
    .discoverDescriptors(LinkID(0), .empty), .read(LinkID(0), 0, type: BluetoothUUID(0)),
    .write(LinkID(0), 0, type: BluetoothUUID(0), octets: []),
    .writeWithoutResponse(LinkID(0), 0, type: BluetoothUUID(0), octets: []),
    .configure(LinkID(0), 0, type: BluetoothUUID(0), false), .readRSSI(LinkID(0)),
    .prepare(LinkID(0), 0, type: BluetoothUUID(0), offset: 0, octets: []), .execute(LinkID(0), false),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .publish, .unpublish, .answer, .notify: try visitServer(&visitor)
    case .discoverServices, .discoverIncluded, .discoverCharacteristics, .discoverDescriptors:
      try visitDiscovery(&visitor)
    case .read, .write, .writeWithoutResponse, .configure, .readRSSI, .prepare, .execute: try visitClient(&visitor)
    }
  }

  private mutating func visitServer<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .publish(var service):
      try visitor.word("gatt.publish")
      try service.visit(&visitor)
      self = .publish(service)
    case .unpublish(var key):
      try visitor.word("gatt.unpublish")
      try key.visit(&visitor)
      self = .unpublish(key)
    case .answer(var request, var value, var error):
      try visitor.word("gatt.answer")
      try visitor.field("request", &request.rawValue)
      try visitor.field("value", &value)
      try visitor.field("error", &error)
      self = .answer(request, value: value, error: error)
    case .notify(var link, var key, var type, var octets):
      try visitor.word("gatt.notify")
      try visitor.field("link", &link)
      try visitor.field("attribute", &key.rawValue)
      try visitor.field("type", &type)
      try visitor.field("octets", &octets)
      self = .notify(link, key, type: type, octets: octets)
    default: break
    }
  }

  private mutating func visitDiscovery<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .discoverServices(var link, var types):
      try visitor.word("gatt.discoverServices")
      try visitor.field("link", &link)
      try visitor.field("types", &types)
      self = .discoverServices(link, types)
    case .discoverIncluded(var link, var service):
      try visitor.word("gatt.discoverIncluded")
      try visitor.field("link", &link)
      try service.visit(&visitor)
      self = .discoverIncluded(link, service)
    case .discoverCharacteristics(var link, var service):
      try visitor.word("gatt.discoverCharacteristics")
      try visitor.field("link", &link)
      try service.visit(&visitor)
      self = .discoverCharacteristics(link, service)
    case .discoverDescriptors(var link, var characteristic):
      try visitor.word("gatt.discoverDescriptors")
      try visitor.field("link", &link)
      try characteristic.visit(&visitor)
      self = .discoverDescriptors(link, characteristic)
    default: break
    }
  }

  private mutating func visitClient<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .read(var link, var handle, var type):
      try visitor.word("gatt.read")
      try visitor.attribute(&link, &handle, &type)
      self = .read(link, handle, type: type)
    case .write(var link, var handle, var type, var octets):
      try visitor.word("gatt.write")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("octets", &octets)
      self = .write(link, handle, type: type, octets: octets)
    case .writeWithoutResponse(var link, var handle, var type, var octets):
      try visitor.word("gatt.writeWithoutResponse")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("octets", &octets)
      self = .writeWithoutResponse(link, handle, type: type, octets: octets)
    case .configure(var link, var handle, var type, var isOn):
      try visitor.word("gatt.configure")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("on", &isOn)
      self = .configure(link, handle, type: type, isOn)
    case .prepare(var link, var handle, var type, var offset, var octets):
      try visitor.word("gatt.prepare")
      try visitor.attribute(&link, &handle, &type)
      try visitor.field("offset", &offset)
      try visitor.field("octets", &octets)
      self = .prepare(link, handle, type: type, offset: offset, octets: octets)
    case .execute(var link, var isMeant):
      try visitor.word("gatt.execute")
      try visitor.field("link", &link)
      try visitor.field("write", &isMeant)
      self = .execute(link, isMeant)
    case .readRSSI(var link):
      try visitor.word("gatt.readRSSI")
      try visitor.field("link", &link)
      self = .readRSSI(link)
    default: break
    }
  }
}

extension WordVisitor {
  /// An attribute of the other end.
  mutating func attribute(
    _ link: inout LinkID, _ handle: inout ATT.Handle, _ type: inout BluetoothUUID
  ) throws(Failure) {
    try field("link", &link)
    try field("handle", &handle)
    try field("type", &type)
  }
}
