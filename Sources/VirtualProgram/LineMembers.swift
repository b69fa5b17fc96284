import AppSeam
import BluetoothWire
import Foundation

/// The members of one line of the bench, read by name; those that nobody asks for are ignored.
struct LineMembers {
  let values: [String: Any]

  init(_ line: Data) throws(ProgramEnd) {
    guard let object = try? JSONSerialization.jsonObject(with: line) else { throw .notInProtocol("it is not JSON") }
    guard let values = object as? [String: Any] else { throw .notInProtocol("it is no JSON object") }
    self.values = values
  }

  private init(values: [String: Any]) { self.values = values }

  /// Whether a member is there and not null.
  func has(_ name: String) -> Bool { values[name] != nil && !(values[name] is NSNull) }

  private func value<Value>(_ name: String, _ needed: String) throws(ProgramEnd) -> Value {
    guard let value = values[name], !(value is NSNull) else { throw .notInProtocol("\(name): missing") }
    guard let typed = value as? Value else { throw .notInProtocol("\(name): \(needed) is needed") }
    return typed
  }

  func text(_ name: String) throws(ProgramEnd) -> String { try value(name, "a text") }
  func int(_ name: String) throws(ProgramEnd) -> Int { try value(name, "a whole number") }
  func flag(_ name: String) throws(ProgramEnd) -> Bool { try value(name, "true or false") }

  func texts(_ name: String) throws(ProgramEnd) -> [String] { try value(name, "a list of texts") }

  func number<Number: FixedWidthInteger>(_ name: String) throws(ProgramEnd) -> Number {
    guard let number = Number(exactly: try int(name)) else {
      throw .notInProtocol("\(name): \(Number.min) to \(Number.max) is needed")
    }
    return number
  }

  // MARK: Bluetooth

  func octets(_ name: String) throws(ProgramEnd) -> [UInt8] {
    guard let octets = [UInt8](hexadecimalDigits: try text(name)) else {
      throw .notInProtocol("\(name): pairs of hexadecimal digits are needed")
    }
    return octets
  }

  func uuid(_ name: String) throws(ProgramEnd) -> BluetoothUUID { try Self.uuid(text(name), name) }

  func uuids(_ name: String) throws(ProgramEnd) -> [BluetoothUUID] {
    var uuids: [BluetoothUUID] = []
    for text in try texts(name) { uuids.append(try Self.uuid(text, name)) }
    return uuids
  }

  private static func uuid(_ text: String, _ name: String) throws(ProgramEnd) -> BluetoothUUID {
    guard let uuid = BluetoothUUID(text) else { throw .notInProtocol("\(name): \"\(text)\" is no UUID") }
    return uuid
  }

  /// The text of an address does not say its type; peers of the bench have random static addresses, and it takes an
  /// address back by its 48 bits.
  func address() throws(ProgramEnd) -> BluetoothAddress {
    let text = try text("address")
    guard let bits = BluetoothAddress.bits(of: text) else {
      throw .notInProtocol("address: \"\(text)\" is no address")
    }
    return BluetoothAddress(kind: .random, bits: bits)
  }

  func link(_ name: String = "link") throws(ProgramEnd) -> LinkID {
    let number = try int(name)
    guard number >= 0 else { throw .notInProtocol("\(name): \(number) is negative") }
    return LinkID(number)
  }

  /// An object in it.
  func object(_ name: String) throws(ProgramEnd) -> LineMembers {
    LineMembers(values: try value(name, "an object"))
  }

  /// A list of objects, each read by `read`.
  func objects<Element>(
    _ name: String, _ read: (LineMembers) throws(ProgramEnd) -> Element
  ) throws(ProgramEnd) -> [Element] {
    let entries: [[String: Any]] = try value(name, "a list of objects")
    var elements: [Element] = []
    for entry in entries { elements.append(try read(LineMembers(values: entry))) }
    return elements
  }
}
