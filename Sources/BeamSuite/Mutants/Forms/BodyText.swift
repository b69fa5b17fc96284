import BeamScribe

/// The octets of a body, cut up where no string of JSON reaches.
struct BodyText {
  var octets: [UInt8]

  init(_ octets: [UInt8]) { self.octets = octets }

  /// Puts a member of the packet's object first.
  func leading(with member: String) -> BodyText {
    var members = Self.members(octets)
    guard let place = members.firstIndex(where: { $0.starts(with: "\"\(member)\"".utf8) }) else { return self }
    members.insert(members.remove(at: place), at: 0)
    return Self.object(members)
  }

  /// Puts a member in front.
  func adding(_ member: String) -> BodyText { Self.object([Array(member.utf8)] + Self.members(octets)) }

  /// Keeps the last of members with equal keys.
  func withoutRepeatedKeys() -> BodyText {
    var members: [[UInt8]] = []
    for member in Self.members(octets) {
      let key = Self.key(member)
      members.removeAll { Self.key($0) == key }
      members.append(member)
    }
    return Self.object(members)
  }

  var keys: [String] {
    Self.members(octets).map { String(decoding: Self.key($0).filter { $0 != 0x22 }, as: UTF8.self) }
  }

  /// Another text for every number that is the value of a key, wherever it is.
  func replacingNumbers(of key: String, _ replacement: (Int, [UInt8]) -> [UInt8]) -> BodyText {
    var result: [UInt8] = []
    let sought = Array("\"\(key)\":".utf8)
    var index = 0
    var found = 0
    while index < octets.count {
      guard octets[index...].starts(with: sought) else {
        result.append(octets[index])
        index += 1
        continue
      }
      result += sought
      index += sought.count
      let number = octets[index...].prefix { (0x30...0x39).contains($0) || $0 == 0x2E }
      result += replacement(found, Array(number))
      found += 1
      index += number.count
    }
    return BodyText(result)
  }

  /// The deepest nesting of objects and lists.
  var nesting: Int {
    var (depth, deepest) = (0, 0)
    Self.scan(octets) { octet in
      if "{[".utf8.contains(octet) { depth += 1 }
      if "}]".utf8.contains(octet) { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return deepest
  }

  private static func key(_ member: [UInt8]) -> [UInt8] {
    member.prefix { $0 != UInt8(ascii: ":") }.filter { $0 > 0x20 }
  }

  private static func object(_ members: [[UInt8]]) -> BodyText {
    BodyText([UInt8(ascii: "{")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")])
  }

  /// The members of the outermost object.
  private static func members(_ octets: [UInt8]) -> [[UInt8]] {
    var members: [[UInt8]] = []
    var member: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    for octet in octets {
      if !isInString {
        if "}]".utf8.contains(octet) { depth -= 1 }
        if depth == 1 && octet == UInt8(ascii: ",") || depth == 0 {
          if !member.isEmpty { members.append(member) }
          member = []
        } else {
          member.append(octet)
        }
        if "{[".utf8.contains(octet) { depth += 1 }
        if octet == UInt8(ascii: "\"") { isInString = true }
        continue
      }
      member.append(octet)
      if !isEscaped, octet == UInt8(ascii: "\"") { isInString = false }
      isEscaped = !isEscaped && octet == UInt8(ascii: "\\")
    }
    return members
  }

  /// Hands on the octets that are in no string.
  private static func scan(_ octets: [UInt8], _ visit: (UInt8) -> Void) {
    var isInString = false
    var isEscaped = false
    for octet in octets {
      if isInString {
        if !isEscaped, octet == UInt8(ascii: "\"") { isInString = false }
        isEscaped = !isEscaped && octet == UInt8(ascii: "\\")
      } else {
        if octet == UInt8(ascii: "\"") { isInString = true }
        visit(octet)
      }
    }
  }
}
