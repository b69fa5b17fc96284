import AppSeam
package import BluetoothWire
import Judging

/// Why a message is not in the IUT protocol: where, and what is wrong there.
package struct MessageProblem: Error, Hashable {
  /// For example `effects[2].octets`; empty for the message itself.
  package var place: String
  package var reason: String

  package init(place: String, reason: String) {
    self.place = place
    self.reason = reason
  }

  package func inside(_ outer: String) -> Self {
    let separator = place.isEmpty || place.hasPrefix("[") ? "" : "."
    return Self(place: outer + separator + place, reason: reason)
  }
}

extension MessageProblem: CustomStringConvertible {
  package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}

/// The members of one JSON object of a message, read by name; members that nobody asks for are ignored.
package struct MessageMembers: WordMembers {
  /// Larger numbers lose digits in many languages' JSON.
  package static let numberLimit = JSONText.largestNumber

  private let members: [JSONTree.Member]

  package init(_ tree: JSONTree) throws(MessageProblem) {
    guard case .object(let members) = tree else {
      throw MessageProblem(place: "", reason: "\(tree.kindName), where an object is needed")
    }
    self.members = members
  }

  /// The members of a line, without its end.
  package init(octets: [UInt8]) throws(MessageProblem) {
    let tree: JSONTree
    do {
      tree = try JSONTree(octets)
    } catch {
      throw MessageProblem(place: "", reason: "not JSON at octet \(error.offset): \(error.reason)")
    }
    try self.init(tree)
  }

  /// The value of a member; nil when it is absent or null.
  package func optional(_ name: String) -> JSONTree? {
    guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
    return value
  }

  package func has(_ name: String) -> Bool { optional(name) != nil }

  package func value(_ name: String) throws(MessageProblem) -> JSONTree {
    guard let value = optional(name) else { throw MessageProblem(place: name, reason: "missing") }
    return value
  }

  private static func wrong(_ name: String, _ value: JSONTree, _ needed: String) -> MessageProblem {
    MessageProblem(place: name, reason: "\(value.kindName), where \(needed) is needed")
  }

  // MARK: Scalars

  package func text(_ name: String) throws(MessageProblem) -> String {
    let value = try value(name)
    guard case .text(let text) = value else { throw Self.wrong(name, value, "a text") }
    return text
  }

  package func optionalText(_ name: String) throws(MessageProblem) -> String? {
    optional(name) == nil ? nil : try text(name)
  }

  package func boolean(_ name: String) throws(MessageProblem) -> Bool {
    let value = try value(name)
    guard case .boolean(let flag) = value else { throw Self.wrong(name, value, "true or false") }
    return flag
  }

  package func integer(
    _ name: String, _ limits: ClosedRange<Int64> = -numberLimit...numberLimit
  ) throws(MessageProblem) -> Int64 {
    let value = try value(name)
    if case .text(let digits) = value, limits == -Self.numberLimit...Self.numberLimit, let number = Int64(digits),
      number.magnitude > Self.numberLimit.magnitude
    {
      return number
    }
    guard case .integer(let number) = value else { throw Self.wrong(name, value, "a whole number") }
    guard limits.contains(number) else {
      throw MessageProblem(
        place: name, reason: "\(number) is out of range, \(limits.lowerBound) to \(limits.upperBound)")
    }
    return number
  }

  package func int(_ name: String, _ limits: ClosedRange<Int64> = -numberLimit...numberLimit) throws(MessageProblem)
    -> Int
  {
    Int(try integer(name, limits))
  }

  package func number<Number: FixedWidthInteger>(_ name: String) throws(MessageProblem) -> Number {
    Number(try Number.bitWidth < 64 ? integer(name, Int64(Number.min)...Int64(Number.max)) : integer(name))
  }

  package func index(_ name: String) throws(MessageProblem) -> Int { try int(name, 0...Int64(Int32.max)) }

  package func octet(_ name: String) throws(MessageProblem) -> UInt8 { try number(name) }

  /// One of these words.
  package func word<Word: RawRepresentable<String>>(_ name: String, _ words: [Word]) throws(MessageProblem) -> Word {
    try Self.word(name, try text(name), words)
  }

  /// A list of these words.
  package func words<Word: RawRepresentable<String>>(
    _ name: String, _ words: [Word]
  ) throws(MessageProblem) -> [Word] {
    var found: [Word] = []
    for (index, text) in try texts(name).enumerated() {
      found.append(try Self.word("\(name)[\(index)]", text, words))
    }
    return found
  }

  private static func word<Word: RawRepresentable<String>>(
    _ name: String, _ text: String, _ words: [Word]
  ) throws(MessageProblem) -> Word {
    guard let word = words.first(where: { $0.rawValue == text }) else {
      let words = words.map(\.rawValue).joined(separator: ", ")
      throw MessageProblem(place: name, reason: "\"\(text)\" is none of \(words)")
    }
    return word
  }

  // MARK: Bluetooth

  package func octets(_ name: String) throws(MessageProblem) -> [UInt8] {
    let text = try text(name)
    var octets: [UInt8] = []
    octets.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for (offset, character) in text.utf8.enumerated() {
      guard let digit = JSONTree.hexadecimalDigit(character) else {
        throw MessageProblem(place: name, reason: "no hexadecimal digit at \(offset)")
      }
      if let first = high {
        octets.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else { throw MessageProblem(place: name, reason: "an odd number of hexadecimal digits") }
    return octets
  }

  package func uuid(_ name: String) throws(MessageProblem) -> BluetoothUUID {
    let text = try text(name)
    guard let uuid = BluetoothUUID(text) else {
      throw MessageProblem(place: name, reason: "\"\(text)\" is no UUID; write four digits or 36 characters")
    }
    return uuid
  }

  package func uuids(_ name: String) throws(MessageProblem) -> [BluetoothUUID] {
    var uuids: [BluetoothUUID] = []
    for (index, text) in try texts(name).enumerated() {
      guard let uuid = BluetoothUUID(text) else {
        throw MessageProblem(place: "\(name)[\(index)]", reason: "\"\(text)\" is no UUID")
      }
      uuids.append(uuid)
    }
    return uuids
  }

  /// Six octets as `F0:F1:F2:F3:F4:A0`, most significant first.
  package func addressBits(_ name: String) throws(MessageProblem) -> UInt64 {
    let text = try text(name)
    guard let bits = BluetoothAddress.bits(of: text) else {
      throw MessageProblem(place: name, reason: "\"\(text)\" is no address; write it as F0:F1:F2:F3:F4:A0")
    }
    return bits
  }

  // MARK: Lists

  package func list(_ name: String) throws(MessageProblem) -> [JSONTree] {
    let value = try value(name)
    guard case .list(let items) = value else { throw Self.wrong(name, value, "a list") }
    return items
  }

  package func texts(_ name: String) throws(MessageProblem) -> [String] {
    var texts: [String] = []
    for (index, item) in try list(name).enumerated() {
      guard case .text(let text) = item else { throw Self.wrong("\(name)[\(index)]", item, "a text") }
      texts.append(text)
    }
    return texts
  }

  /// A list of objects, each read by `read`.
  package func objects<Element>(
    _ name: String, _ read: (MessageMembers) throws(MessageProblem) -> Element
  ) throws(MessageProblem) -> [Element] {
    var elements: [Element] = []
    for (index, item) in try list(name).enumerated() {
      do throws(MessageProblem) {
        elements.append(try read(MessageMembers(item)))
      } catch {
        throw error.inside("\(name)[\(index)]")
      }
    }
    return elements
  }
}
