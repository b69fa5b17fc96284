package import AppSeam
import BluetoothWire

/// A descriptor: of a peripheral as a central found it, or of this phone (`CBMutableDescriptor`).
///
/// The type of the value depends on the UUID: `NSNumber` for extended properties and for the two configurations,
/// `String` for the user description, `Data` for all others. Source: Apple, `CBDescriptor`.
open class CBDescriptor: CBAttribute {
  package var found: FoundDescriptor?
  package weak var parent: CBCharacteristic?
  package var cachedValue: Any?

  package init(type: CBUUID, value: Any?, found: FoundDescriptor? = nil, parent: CBCharacteristic? = nil) {
    cachedValue = value
    self.found = found
    self.parent = parent
    super.init(type: type)
  }

  /// `<CBDescriptor: 0x…, UUID = 2902, value = (null)>`.
  open override var description: String {
    ObjectText.of(self, ["UUID": uuid.description, "value": ObjectText.of(value)])
  }
  /// The characteristic that has it; nil when that object is gone.
  open var characteristic: CBCharacteristic? { parent }
  /// The value that was read; nil before that.
  open var value: Any? { cachedValue }

  /// What the app sees of the octets that were read.
  package static func value(of uuid: CBUUID, octets: [UInt8]) -> Any {
    switch uuid.wire.short {
    case 0x2900, 0x2902, 0x2903: NSNumber(value: octets.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) })
    case 0x2901: String(decoding: octets, as: UTF8.self)
    default: Data(octets)
    }
  }

  /// The octets of a value that the app gives; nil when it does not fit the UUID.
  package static func octets(of value: Any?, uuid: CBUUID) -> [UInt8]? {
    switch value {
    case let text as String: Array(text.utf8)
    case let data as Data: Array(data)
    default: nil
    }
  }
}

/// A descriptor that this phone publishes; its value is fixed.
///
/// Only the user description (a `String`) and the presentation format (`Data`) can be made. Source: Apple,
/// `CBMutableDescriptor`.
open class CBMutableDescriptor: CBDescriptor {
  package var key: AttributeKey?

  /// Raises an exception for other UUIDs, and for a value of another type than the UUID asks for.
  public init(type UUID: CBUUID, value: Any?) {
    super.init(type: UUID, value: value)
    let isGood =
      switch UUID.wire.short {
      case 0x2901: value is String
      case 0x2904: value is Data
      default: false
      }
    if !isGood {
      VirtualPhone.raise(
        .descriptorKind,
        "a local descriptor is a user description with a String or a presentation format with Data, not \(UUID)")
    }
  }
}
