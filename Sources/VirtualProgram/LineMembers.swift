import AppSeam
import BluetoothWire
import Foundation

/// The members of one line of the bench, read by name; those that nobody asks for are ignored.
struct LineMembers: WordMembers {
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
  func boolean(_ name: String) throws(ProgramEnd) -> Bool { try value(name, "true or false") }

  func texts(_ name: String) throws(ProgramEnd) -> [String] { try value(name, "a list of texts") }

  func number<Number: FixedWidthInteger>(_ name: String) throws(ProgramEnd) -> Number {
    guard let number = Number(exactly: try int(name)) else {
      throw .notInProtocol("\(name): \(Number.min) to \(Number.max) is needed")
    }
    return number
  }

  func index(_ name: String) throws(ProgramEnd) -> Int {
    let number = try int(name)
    guard (0...Int(Int32.max)).contains(number) else {
      throw .notInProtocol("\(name): 0 to \(Int32.max) is needed")
    }
    return number
  }

  func word<Word: RawRepresentable<String>>(_ name: String, _ words: [Word]) throws(ProgramEnd) -> Word {
    try Self.word(name, text(name), words)
  }

  func words<Word: RawRepresentable<String>>(_ name: String, _ words: [Word]) throws(ProgramEnd) -> [Word] {
    var found: [Word] = []
    for text in try texts(name) { found.append(try Self.word(name, text, words)) }
    return found
  }

  private static func word<Word: RawRepresentable<String>>(
    _ name: String, _ text: String, _ words: [Word]
  ) throws(ProgramEnd) -> Word {
    guard let word = words.first(where: { $0.rawValue == text }) else {
      throw .notInProtocol("\(name): \"\(text)\" is none of \(words.map(\.rawValue).joined(separator: ", "))")
    }
    return word
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

  func addressBits(_ name: String) throws(ProgramEnd) -> UInt64 {
    let text = try text(name)
    guard let bits = BluetoothAddress.bits(of: text) else {
      throw .notInProtocol("\(name): \"\(text)\" is no address")
    }
    return bits
  }

  func record(_ name: String) throws(ProgramEnd) -> [UInt8] { try octets(name) }

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
