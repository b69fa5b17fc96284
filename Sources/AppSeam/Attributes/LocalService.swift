public import BluetoothWire

/// A service as an app publishes it whole: with included services, descriptors, permissions and fixed values.
/// Spec: Core v5.4, Vol 3, Part G, 3.
public struct LocalService: Hashable, Sendable {
  public var key: ServiceKey
  public var uuid: BluetoothUUID
  public var isPrimary: Bool
  /// Published before this one.
  public var included: [ServiceKey]
  public var characteristics: [LocalCharacteristic]

  public init(
    key: ServiceKey, uuid: BluetoothUUID, isPrimary: Bool = true, included: [ServiceKey] = [],
    characteristics: [LocalCharacteristic]
  ) {
    self.key = key
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.included = included
    self.characteristics = characteristics
  }
}

/// A characteristic as an app publishes it; the Client Characteristic Configuration comes with notify or indicate, and
/// is the app's to answer where it is among the descriptors.
public struct LocalCharacteristic: Hashable, Sendable {
  public var key: AttributeKey
  public var uuid: BluetoothUUID
  /// The octet that clients read (Core v5.4, Vol 3, Part G, 3.3.1.1).
  public var properties: UInt8
  public var permissions: AttributePermissions
  /// What every read returns, at most 512 octets; nil: the app is asked each time.
  public var value: [UInt8]?
  public var descriptors: [LocalDescriptor]

  public init(
    key: AttributeKey, uuid: BluetoothUUID, properties: UInt8, permissions: AttributePermissions, value: [UInt8]? = nil,
    descriptors: [LocalDescriptor] = []
  ) {
    self.key = key
    self.uuid = uuid
    self.properties = properties
    self.permissions = permissions
    self.value = value
    self.descriptors = descriptors
  }
}

/// A descriptor as an app publishes it.
public struct LocalDescriptor: Hashable, Sendable {
  public var key: AttributeKey
  public var uuid: BluetoothUUID
  /// What every read returns, at most 512 octets, and nobody can write; nil: the app is asked for each read and write,
  /// and refuses what it does not allow.
  public var value: [UInt8]?

  public init(key: AttributeKey, uuid: BluetoothUUID, value: [UInt8]?) {
    self.key = key
    self.uuid = uuid
    self.value = value
  }
}

/// What a client may do with an attribute (Core v5.4, Vol 3, Part F, 3.2.5).
public struct AttributePermissions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let read = Self(rawValue: 0x01)
  public static let write = Self(rawValue: 0x02)
  /// Reads need an encrypted link.
  public static let readEncrypted = Self(rawValue: 0x04)
  /// Writes need an encrypted link.
  public static let writeEncrypted = Self(rawValue: 0x08)
  /// To switch notifications or indications on needs an encrypted link.
  public static let configureEncrypted = Self(rawValue: 0x10)
  /// The app is asked for each part of a prepared write as it comes (`GATTInput.partAsked`).
  public static let parts = Self(rawValue: 0x20)
}

extension LocalService: WordRecord {
  public static let empty = LocalService(key: ServiceKey(0), uuid: BluetoothUUID(0), characteristics: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("service", &key.rawValue)
    try visitor.field("type", &uuid)
    try visitor.field("primary", &isPrimary)
    try visitor.records("included", &included)
    try visitor.records("characteristics", &characteristics)
  }
}

extension ServiceKey: WordRecord {
  public static let empty = ServiceKey(0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("service", &rawValue)
  }
}

extension LocalCharacteristic: WordRecord {
  public static let empty = LocalCharacteristic(
    key: AttributeKey(0), uuid: BluetoothUUID(0), properties: 0, permissions: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("attribute", &key.rawValue)
    try visitor.field("type", &uuid)
    try visitor.field("properties", &properties)
    var octet = permissions.rawValue
    try visitor.field("permissions", &octet)
    permissions = AttributePermissions(rawValue: octet)
    try visitor.field("value", &value)
    try visitor.records("descriptors", &descriptors)
  }
}

extension LocalDescriptor: WordRecord {
  public static let empty = LocalDescriptor(key: AttributeKey(0), uuid: BluetoothUUID(0), value: nil)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("attribute", &key.rawValue)
    try visitor.field("type", &uuid)
    // A fixed value is no optional one for a digest: those of apps that knew no other stay as they are.
    guard var fixed = value else { return try visitor.field("value", &value) }
    try visitor.field("value", &fixed)
    value = fixed
  }
}
