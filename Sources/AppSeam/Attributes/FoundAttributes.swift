public import BluetoothWire

/// A service that a client found.
public struct FoundService: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var isPrimary: Bool
  public var start: ATT.Handle
  public var end: ATT.Handle

  public init(uuid: BluetoothUUID, isPrimary: Bool = true, start: ATT.Handle, end: ATT.Handle) {
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.start = start
    self.end = end
  }
}

/// A characteristic that a client found.
public struct FoundCharacteristic: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var properties: UInt8
  /// The handle of its value.
  public var value: ATT.Handle
  /// The handle of its last descriptor, or of its value when there is none.
  public var end: ATT.Handle

  public init(uuid: BluetoothUUID, properties: UInt8, value: ATT.Handle, end: ATT.Handle) {
    self.uuid = uuid
    self.properties = properties
    self.value = value
    self.end = end
  }
}

/// A descriptor that a client found.
public struct FoundDescriptor: Hashable, Sendable {
  public var uuid: BluetoothUUID
  public var handle: ATT.Handle

  public init(uuid: BluetoothUUID, handle: ATT.Handle) {
    self.uuid = uuid
    self.handle = handle
  }
}

extension FoundService: WordRecord {
  public static let empty = FoundService(uuid: BluetoothUUID(0), start: 0, end: 0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("type", &uuid)
    try visitor.field("primary", &isPrimary)
    try visitor.field("start", &start)
    try visitor.field("end", &end)
  }
}

extension FoundCharacteristic: WordRecord {
  public static let empty = FoundCharacteristic(uuid: BluetoothUUID(0), properties: 0, value: 0, end: 0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("type", &uuid)
    try visitor.field("properties", &properties)
    try visitor.field("handle", &value)
    try visitor.field("end", &end)
  }
}

extension FoundDescriptor: WordRecord {
  public static let empty = FoundDescriptor(uuid: BluetoothUUID(0), handle: 0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("type", &uuid)
    try visitor.field("handle", &handle)
  }
}
