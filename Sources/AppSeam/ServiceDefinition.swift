public import BluetoothWire

/// A GATT service as an app publishes it.
public struct ServiceDefinition: Hashable, Sendable {
  public struct Characteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var properties: Properties
    /// Which service of its UUID it is of, where a peer has several, in the order of their handles; 0 is the first.
    /// What an app publishes has none.
    public var instance: Int
    public init(uuid: BluetoothUUID, properties: Properties, instance: Int = 0) {
      self.uuid = uuid
      self.properties = properties
      self.instance = instance
    }
  }

  /// Characteristic properties (Core v5.4, Vol 3, Part G, 3.3.1.1).
  public struct Properties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let read = Properties(rawValue: 0x02)
    public static let writeWithoutResponse = Properties(rawValue: 0x04)
    public static let write = Properties(rawValue: 0x08)
    public static let notify = Properties(rawValue: 0x10)
    public static let indicate = Properties(rawValue: 0x20)

    /// All of them, by what people call them.
    public static let names: [(name: String, property: Properties)] = [
      ("read", .read), ("write", .write), ("write without response", .writeWithoutResponse), ("notify", .notify),
      ("indicate", .indicate),
    ]

    /// For people: `read, notify`.
    public var words: String {
      let names = Self.names.filter { contains($0.property) }.map(\.name)
      return names.isEmpty ? "none of these" : names.joined(separator: ", ")
    }
  }

  public var uuid: BluetoothUUID
  public var characteristics: [Characteristic]
  public init(uuid: BluetoothUUID, characteristics: [Characteristic]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }
}
