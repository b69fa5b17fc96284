import BluetoothWire
import Conformance

/// Packets that are one JSON object each. Members that the file does not name are read over; a path leads into objects
/// in objects, and into each entry of a list.
extension ProtocolForm.Packet {
  /// - Throws: what is wrong first.
  func decodeJSON(_ octets: [UInt8], _ fields: [ProtocolForm.Field]) throws(PacketRefusal) -> FilePacket {
    try decodeJSON(try Self.tree(octets), fields)
  }

  /// - Throws: that octets are no JSON object.
  static func tree(_ octets: [UInt8]) throws(PacketRefusal) -> JSONTree {
    let tree: JSONTree
    do throws(JSONTree.Refusal) {
      tree = try JSONTree(octets)
    } catch {
      throw PacketRefusal(reason: "it is not JSON: \(error.reason)", offset: error.offset)
    }
    guard case .object = tree else { throw PacketRefusal(reason: "it is \(tree.kindName), not an object") }
    return tree
  }

  /// - Throws: what is wrong first.
  func decodeJSON(_ tree: JSONTree, _ fields: [ProtocolForm.Field]) throws(PacketRefusal) -> FilePacket {
    var packet = FilePacket(name: name, fields: [])
    packet.fields.reserveCapacity(fields.count)
    for field in fields {
      guard let value = try Self.read(tree, field) else { continue }
      try field.check(value, at: 0)
      packet.fields.append((field.name, value))
    }
    return packet
  }

  /// Whether what tells packets apart is as it must be: most octets are another packet.
  static func hasConstants(_ tree: JSONTree, _ fields: [ProtocolForm.Field]) -> Bool {
    for field in fields where field.presence == nil {
      guard let constant = field.constant else { continue }
      var member: JSONTree? = tree
      for step in field.path { member = member?.value(of: step.name) }
      guard let member else { return false }
      if case .text(let text) = member, case .text(let wanted) = constant {
        if text != wanted { return false }
      } else if value(member, field.kind) != constant {
        return false
      }
    }
    return true
  }

  /// - Returns: nil where a member that may be missing is.
  private static func read(_ tree: JSONTree, _ field: ProtocolForm.Field) throws(PacketRefusal) -> FieldValue? {
    var member = tree
    for (place, step) in field.path.enumerated() {
      guard let next = member.value(of: step.name), !next.isNull else { return try missing(field) }
      if step.isList { return try entries(of: next, field, after: place + 1) }
      member = next
    }
    guard let value = value(member, field.kind) else {
      throw PacketRefusal(reason: "member “\(field.name)” is \(member.kindName)")
    }
    return value
  }

  private static func missing(_ field: ProtocolForm.Field) throws(PacketRefusal) -> FieldValue? {
    if field.presence != nil { return nil }
    throw PacketRefusal(reason: "member “\(field.name)” is missing")
  }

  /// The values of one member of each entry of a list; an entry may lack one that may be missing.
  private static func entries(
    of tree: JSONTree, _ field: ProtocolForm.Field, after place: Int
  ) throws(PacketRefusal) -> FieldValue? {
    guard case .list(let items) = tree, case .list(let kind, _) = field.kind else {
      throw PacketRefusal(reason: "member “\(field.name)” is \(tree.kindName), not a list")
    }
    var values: [FieldValue] = []
    values.reserveCapacity(items.count)
    for item in items {
      var member: JSONTree? = item
      for step in field.path[place...] { member = member?.value(of: step.name) }
      guard let member, !member.isNull else {
        _ = try missing(field)
        continue
      }
      guard let value = value(member, kind) else {
        throw PacketRefusal(reason: "member “\(field.name)” has \(member.kindName) in it")
      }
      values.append(value)
    }
    return .list(values)
  }

  private static func value(_ member: JSONTree, _ kind: ProtocolForm.Field.Kind) -> FieldValue? {
    switch (kind, member) {
    case (.text, .text(let text)): return .text(text)
    case (.octets, .text(let text)): return [UInt8](hexadecimalDigits: text).map { .octets($0) }
    case (.number, .integer(let number)): return .number(number)
    case (.decimal, .integer(let number)): return DecimalText.millionths(String(number)).map { .decimal($0) }
    case (.decimal, .number(let text)): return DecimalText.millionths(text).map { .decimal($0) }
    case (.flag, .boolean(let isOn)): return .flag(isOn)
    case (.list(let element, _), .list(let members)):
      let values = members.compactMap { value($0, element) }
      return values.count == members.count ? .list(values) : nil
    case (.map(let element), .object(let members)):
      let entries = members.compactMap { member in
        value(member.value, element).map { FieldValue.Entry(name: member.name, value: $0) }
      }
      return entries.count == members.count ? .map(entries) : nil
    default: return nil
    }
  }

  // MARK: Writing

  /// A value and the members that are left on the way to it.
  private struct Part {
    var path: ArraySlice<ProtocolForm.Field.Member>
    var value: FieldValue
  }

  /// Members in the order of the file.
  func encodeJSON(
    _ values: [(name: String, value: FieldValue)], _ fields: [ProtocolForm.Field]
  ) throws(PacketRefusal) -> [UInt8] {
    var parts: [Part] = []
    for field in fields {
      guard let value = field.constant ?? values.first(where: { $0.name == field.name })?.value else {
        if field.presence != nil { continue }
        throw PacketRefusal(reason: "\(name) needs a value for “\(field.name)”")
      }
      try field.check(value, at: 0)
      parts.append(Part(path: field.path[...], value: value))
    }
    return Array(Self.object(parts).utf8)
  }

  /// Members in the order in which their first names come.
  private static func object(_ parts: [Part]) -> String {
    var names: [String] = []
    for part in parts { if let name = part.path.first?.name, !names.contains(name) { names.append(name) } }
    let texts = names.map { name in
      let own = parts.filter { $0.path.first?.name == name }
      return quoted(name) + ":" + member(own.map { (Part(path: $0.path.dropFirst(), value: $0.value), $0.path.first) })
    }
    return "{" + texts.joined(separator: ",") + "}"
  }

  private static func member(_ parts: [(rest: Part, step: ProtocolForm.Field.Member?)]) -> String {
    guard let first = parts.first, !first.rest.path.isEmpty else {
      return parts.first.map { json($0.rest.value) } ?? ""
    }
    guard first.step?.isList == true else { return object(parts.map(\.rest)) }
    let lists = parts.map { part in
      if case .list(let values) = part.rest.value { (part.rest.path, values) } else { (part.rest.path, [FieldValue]()) }
    }
    let count = lists.map(\.1.count).max() ?? 0
    let entries = (0..<count).map { place in
      object(lists.filter { place < $0.1.count }.map { Part(path: $0.0, value: $0.1[place]) })
    }
    return "[" + entries.joined(separator: ",") + "]"
  }

  private static func json(_ value: FieldValue) -> String {
    switch value {
    case .number(let number): String(number)
    case .decimal(let millionths): DecimalText.text(millionths)
    case .flag(let isOn): isOn ? "true" : "false"
    case .text(let text): quoted(text)
    case .octets(let octets): quoted(String(hexadecimal: octets))
    case .list(let values): "[" + values.map(json).joined(separator: ",") + "]"
    case .map(let entries): "{" + entries.map { quoted($0.name) + ":" + json($0.value) }.joined(separator: ",") + "}"
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

extension ProtocolForm.Packet {
  /// The first member that must be there with one text.
  var tag: (path: [ProtocolForm.Field.Member], text: String)? {
    guard case .json(let fields) = body else { return nil }
    for field in fields where field.presence == nil {
      if case .text(let text)? = field.constant { return (field.path, text) }
    }
    return nil
  }
}

extension JSONTree {
  /// Nil: there is no such member, or it is no text.
  func text(at path: [ProtocolForm.Field.Member]) -> String? {
    var member: JSONTree? = self
    for step in path { member = member?.value(of: step.name) }
    return member?.text
  }

  fileprivate var isNull: Bool { if case .null = self { true } else { false } }

  /// A member of an object, without a copy of the others.
  fileprivate func value(of name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    for member in members where member.name == name { return member.value }
    return nil
  }
}
