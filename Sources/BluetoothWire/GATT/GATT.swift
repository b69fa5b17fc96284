/// The Generic Attribute Profile: what services and characteristics are made of. Spec: Core v5.4, Vol 3, Part G.
public enum GATT {
  /// Characteristic properties, one octet. Spec: Core v5.4, Vol 3, Part G, 3.3.1.1.
  public struct Properties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let broadcast = Properties(rawValue: 0x01)
    public static let read = Properties(rawValue: 0x02)
    public static let writeWithoutResponse = Properties(rawValue: 0x04)
    public static let write = Properties(rawValue: 0x08)
    public static let notify = Properties(rawValue: 0x10)
    public static let indicate = Properties(rawValue: 0x20)
    public static let authenticatedSignedWrites = Properties(rawValue: 0x40)
    public static let extendedProperties = Properties(rawValue: 0x80)
  }

  /// A service as a server publishes it. Spec: Core v5.4, Vol 3, Part G, 3.1.
  public struct Service: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var isPrimary: Bool
    /// Services of the same server that it includes (3.2).
    public var included: [DiscoveredService]
    public var characteristics: [Characteristic]

    public init(
      uuid: BluetoothUUID, isPrimary: Bool = true, included: [DiscoveredService] = [], characteristics: [Characteristic]
    ) {
      self.uuid = uuid
      self.isPrimary = isPrimary
      self.included = included
      self.characteristics = characteristics
    }
  }

  /// A characteristic as a server publishes it; its Client Characteristic Configuration comes with notify or indicate.
  ///
  /// Spec: Core v5.4, Vol 3, Part G, 3.3.
  public struct Characteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var properties: Properties
    /// What a read returns at first; at most 512 octets.
    public var value: [UInt8]
    /// Longer writes are refused with Invalid Attribute Value Length; 0 … 512.
    public var maximumLength: Int
    /// What clients may do with it; nil: what the properties say, on any link.
    public var access: Access?
    /// Who answers reads and writes: the server with the value, or its owner each time.
    public var answering = Answering.stored
    /// Further descriptors, in this order, after the Client Characteristic Configuration.
    public var descriptors: [Descriptor]

    public init(
      uuid: BluetoothUUID, properties: Properties, value: [UInt8] = [], maximumLength: Int = ATT.longestValue,
      descriptors: [Descriptor] = []
    ) {
      self.uuid = uuid
      self.properties = properties
      self.value = value
      self.maximumLength = maximumLength
      self.descriptors = descriptors
    }
  }

  /// Permissions of a value and its configuration (Core v5.4, Vol 3, Part F, 3.2.5).
  public struct Access: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = Access(rawValue: 0x01)
    public static let write = Access(rawValue: 0x02)
    public static let readEncrypted = Access(rawValue: 0x04)
    public static let writeEncrypted = Access(rawValue: 0x08)
    public static let configureEncrypted = Access(rawValue: 0x10)
    /// The owner is asked for each part of a prepared write as it comes, also of the descriptors that it answers.
    public static let asksForParts = Access(rawValue: 0x20)
  }

  public enum Answering: Hashable, Sendable {
    /// Reads return the stored value, and writes change it.
    case stored
    /// The owner is asked for each write; reads return the stored value.
    case ownerWrites
    /// The owner is asked for each read and write.
    case owner
  }

  /// A descriptor as a server publishes it. Spec: Core v5.4, Vol 3, Part G, 3.3.3.
  public struct Descriptor: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var value: [UInt8]
    /// Whether the server stores what clients write; an owner that answers says itself what it takes.
    public var isWritable: Bool
    /// Who answers reads and writes.
    public var answering: Answering

    public init(
      uuid: BluetoothUUID, value: [UInt8], isWritable: Bool = false, answering: Answering = .stored
    ) {
      self.uuid = uuid
      self.value = value
      self.isWritable = isWritable
      self.answering = answering
    }
  }

  /// A service as a client found it on a server.
  public struct DiscoveredService: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var start: ATT.Handle
    public var end: ATT.Handle

    public init(uuid: BluetoothUUID, start: ATT.Handle, end: ATT.Handle) {
      self.uuid = uuid
      self.start = start
      self.end = end
    }
  }

  /// A characteristic as a client found it on a server.
  public struct DiscoveredCharacteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var properties: Properties
    /// Handle of the characteristic declaration.
    public var declaration: ATT.Handle
    public var value: ATT.Handle
    /// Handle of the last descriptor, or `value` when there is none.
    public var end: ATT.Handle
    /// Handle of the Client Characteristic Configuration, when there is one.
    public var clientConfiguration: ATT.Handle?
    /// Which of the services that were looked for it is of, in the order of their handles, from 0: a server may have
    /// several of one UUID (Vol 3, Part G, 2.6.2).
    public var instance: Int

    public init(
      uuid: BluetoothUUID, properties: Properties, declaration: ATT.Handle, value: ATT.Handle, end: ATT.Handle,
      clientConfiguration: ATT.Handle? = nil, instance: Int = 0
    ) {
      self.uuid = uuid
      self.properties = properties
      self.declaration = declaration
      self.value = value
      self.end = end
      self.clientConfiguration = clientConfiguration
      self.instance = instance
    }
  }
}

extension BluetoothUUID {
  // Attribute types: Core v5.4, Vol 3, Part G, 3.4. Services and characteristics: Part C, 12, and Assigned Numbers.
  public static let primaryService = BluetoothUUID(0x2800)
  public static let secondaryService = BluetoothUUID(0x2801)
  public static let include = BluetoothUUID(0x2802)
  public static let characteristic = BluetoothUUID(0x2803)
  public static let clientCharacteristicConfiguration = BluetoothUUID(0x2902)
  public static let genericAccess = BluetoothUUID(0x1800)
  public static let genericAttribute = BluetoothUUID(0x1801)
  public static let deviceName = BluetoothUUID(0x2A00)
  public static let appearance = BluetoothUUID(0x2A01)
  public static let peripheralPreferredConnectionParameters = BluetoothUUID(0x2A04)
  public static let serviceChanged = BluetoothUUID(0x2A05)
}

extension GATT {
  /// Bits of the Client Characteristic Configuration. Spec: Core v5.4, Vol 3, Part G, 3.3.3.3.
  public enum ClientConfiguration {
    public static let notifications: UInt8 = 0x01
    public static let indications: UInt8 = 0x02
  }
}
