import BluetoothWire
import Conformance

/// Packets that are one JSON object each. Members that the file does not name are read over; a name with dots is a path
/// into objects.
extension ProtocolForm.Packet {
  /// - Throws: what is wrong first.
  func decodeJSON(_ octets: [UInt8], _ fields: [ProtocolForm.Field]) throws(PacketRefusal) -> FilePacket {
    let tree: JSONTree
    do throws(JSONTree.Refusal) {
      tree = try JSONTree(octets)
    } catch {
      throw PacketRefusal(reason: "it is not JSON: \(error.reason)", offset: error.offset)
    }
    guard case .object = tree else { throw PacketRefusal(reason: "it is \(tree.kindName), not an object") }
    var packet = FilePacket(name: name, fields: [])
    for field in fields {
      guard let member = Self.member(of: tree, field.name), member != .null else {
        if field.presence != nil { continue }
        throw PacketRefusal(reason: "member “\(field.name)” is missing")
      }
      guard let value = Self.value(member, field.kind) else {
        throw PacketRefusal(reason: "member “\(field.name)” is \(member.kindName)")
      }
      try field.check(value, at: 0)
      packet.fields.append((field.name, value))
    }
    return packet
  }

  /// Members in the order of the file.
  func encodeJSON(
    _ values: [(name: String, value: FieldValue)], _ fields: [ProtocolForm.Field]
  ) throws(PacketRefusal) -> [UInt8] {
    var members: [(path: [Substring], text: String)] = []
    for field in fields {
      guard let value = field.constant ?? values.first(where: { $0.name == field.name })?.value else {
        if field.presence != nil { continue }
        throw PacketRefusal(reason: "\(name) needs a value for “\(field.name)”")
      }
      try field.check(value, at: 0)
      members.append((field.name.split(separator: "."), Self.json(value)))
    }
    return Array(Self.object(members).utf8)
  }

  private static func member(of tree: JSONTree, _ path: String) -> JSONTree? {
    path.split(separator: ".").reduce(tree as JSONTree?) { tree, name in
      guard case .object? = tree else { return nil }
      return tree?.member(String(name))
    }
  }

  /// Members in the order in which their first names come.
  private static func object(_ members: [(path: [Substring], text: String)]) -> String {
    var names: [Substring] = []
    for member in members where !names.contains(member.path[0]) { names.append(member.path[0]) }
    let texts = names.map { name in
      let own = members.filter { $0.path[0] == name }
      let inside = own.filter { $0.path.count > 1 }.map { (path: Array($0.path.dropFirst()), text: $0.text) }
      return quoted(String(name)) + ":" + (inside.isEmpty ? own[0].text : object(inside))
    }
    return "{" + texts.joined(separator: ",") + "}"
  }

  private static func value(_ member: JSONTree, _ kind: ProtocolForm.Field.Kind) -> FieldValue? {
    switch (kind, member) {
    case (.text, .text(let text)): return .text(text)
    case (.octets, .text(let text)): return [UInt8](hexadecimalDigits: text).map { .octets($0) }
    case (.number, .integer(let number)): return .number(number)
    case (.flag, .boolean(let isOn)): return .flag(isOn)
    case (.list(let element, _), .list(let members)):
      let values = members.compactMap { value($0, element) }
      return values.count == members.count ? .list(values) : nil
    default: return nil
    }
  }

  private static func json(_ value: FieldValue) -> String {
    switch value {
    case .number(let number): String(number)
    case .flag(let isOn): isOn ? "true" : "false"
    case .text(let text): quoted(text)
    case .octets(let octets): quoted(String(hexadecimal: octets))
    case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        result += "\\u" + String(hexadecimal: scalar.value, digits: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
