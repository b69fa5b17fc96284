/// What a host keeps over a relaunch: its event and its transcript (BEAM 5.7.3).
///
/// Octets: 1 (the version), 0 or 1 (battery low), the name, the number of known guests and their names, and the finals
/// up to the end. Numbers are UInt32, big-endian; a text is its number of octets, and UTF-8.
package struct KeptSession: Hashable, Sendable {
  package var name: String
  package var isBatteryLow: Bool
  /// Guests that have had an open stream.
  package var guests: [String]
  package var finals: [String]

  package init(name: String, isBatteryLow: Bool, guests: [String], finals: [String]) {
    self.name = name
    self.isBatteryLow = isBatteryLow
    self.guests = guests
    self.finals = finals
  }

  private static let version: UInt8 = 1

  package func encoded() -> [UInt8] {
    var octets: [UInt8] = [Self.version, isBatteryLow ? 1 : 0]
    Self.append(name, to: &octets)
    Self.append(guests.count, to: &octets)
    for guest in guests { Self.append(guest, to: &octets) }
    for final in finals { Self.append(final, to: &octets) }
    return octets
  }

  /// What one more final adds at the end.
  static func append(final: String, to octets: inout [UInt8]) { append(final, to: &octets) }

  /// Nil for octets that are nothing kept, whatever they are.
  package init?(decoding octets: [UInt8]) {
    var rest = octets[...]
    guard rest.popFirst() == Self.version, let low = rest.popFirst(), low <= 1, let name = Self.text(&rest),
      !name.isEmpty, let count = Self.number(&rest), count <= rest.count / 4
    else { return nil }
    self.init(name: name, isBatteryLow: low == 1, guests: [], finals: [])
    for _ in 0..<count {
      guard let guest = Self.text(&rest) else { return nil }
      guests.append(guest)
    }
    while !rest.isEmpty {
      guard let final = Self.text(&rest), (1...BeamLimits.text).contains(final.utf8.count) else { return nil }
      finals.append(final)
    }
  }

  private static func append(_ number: Int, to octets: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { octets.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private static func append(_ text: String, to octets: inout [UInt8]) {
    append(text.utf8.count, to: &octets)
    octets.append(contentsOf: text.utf8)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard rest.count >= 4 else { return nil }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard let count = number(&rest), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return String(validating: rest.prefix(count), as: UTF8.self)
  }
}
