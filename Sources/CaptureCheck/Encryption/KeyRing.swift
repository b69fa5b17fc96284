import BluetoothWire
import LinkCrypto

/// Where a Long Term Key comes from.
enum KeyOrigin: Hashable {
  /// From `--key`; whether its octets were written least significant first.
  case given(isReversed: Bool)
  /// The short term key of a legacy pairing with a temporary key of zero.
  case justWorks
  case passkey(UInt32)
  /// The short term key from `--key tk=`.
  case temporary
  /// Handed out by a pairing that was read.
  case distributed
  /// A pairing of LE Secure Connections with the debug key of the specification.
  case debug
  /// A host gave it to its controller, in a capture of HCI that is read together with this one.
  case host

  /// After "encrypted with".
  var words: String {
    switch self {
    case .given(isReversed: false): "the key of --key ltk=, whose most significant octet is first"
    case .given(isReversed: true): "the key of --key ltk=, whose least significant octet is first"
    case .justWorks: "the short term key of a Just Works pairing"
    case .passkey(let digits): "the short term key of a pairing with the passkey \(Self.sixDigits(digits))"
    case .temporary: "the short term key of a pairing with the key of --key tk="
    case .distributed: "the long term key that a pairing handed out"
    case .debug: "the long term key of a pairing with the debug key"
    case .host: "the long term key that a host gave to its controller"
    }
  }

  private static func sixDigits(_ number: UInt32) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 6 - text.utf8.count)) + text
  }
}

/// The keys of all captures that are read together: those that somebody gave, and those that the captures show.
///
/// Long Term Keys have their octets as HCI has them, least significant first. Memory is bounded by `limit`.
final class KeyRing {
  struct LongTermKey: Hashable {
    var octets: [UInt8]
    var origin: KeyOrigin
    /// EDIV and Rand by which LE legacy pairing names it; nil: nobody said.
    var diversifier: UInt16?
    var random: UInt64?
  }

  /// Long Term Keys that are kept; the oldest that a capture showed goes first.
  static let limit = 64
  /// Searches for a passkey in one check, each half a second.
  static let passkeySearches = 16
  /// Packet counters that may be tried beyond those that are due, in one check: some seconds.
  static let trials = 1 << 22

  let given: [CaptureKey]
  private let givenLongTermKeys: [LongTermKey]
  private var learned: [LongTermKey] = []
  /// Counts additions, so that who has tried all knows when there are more.
  private(set) var version = 0
  var passkeySearchesLeft = KeyRing.passkeySearches
  var trialsLeft = KeyRing.trials
  let identities: IdentityBook

  init(_ given: [CaptureKey] = []) {
    self.given = given
    givenLongTermKeys = given.flatMap { key -> [LongTermKey] in
      guard case .longTerm(let octets) = key else { return [] }
      let reversed: [UInt8] = octets.reversed()
      let usual = LongTermKey(octets: reversed, origin: .given(isReversed: false))
      return octets == reversed ? [usual] : [usual, LongTermKey(octets: octets, origin: .given(isReversed: true))]
    }
    identities = IdentityBook(
      given.flatMap { key -> [[UInt8]] in
        guard case .identity(let octets) = key else { return [] }
        return [octets, octets.reversed()]
      })
  }

  /// Temporary keys that were given, as they may have been used.
  var temporaryKeys: [(octets: [UInt8], origin: KeyOrigin)] {
    given.flatMap { key -> [(octets: [UInt8], origin: KeyOrigin)] in
      switch key {
      case .temporary(let octets): [(octets.reversed(), .temporary), (octets, .temporary)]
      case .passkey(let digits): [(PasskeySearch.key(digits), .passkey(digits))]
      default: []
      }
    }
  }

  func learn(_ key: LongTermKey) {
    if learned.contains(key) { return }
    if learned.count == Self.limit { learned.removeFirst() }
    learned.append(key)
    version += 1
  }

  /// All that may fit a session, the likeliest first.
  func candidates(diversifier: UInt16, random: UInt64) -> [LongTermKey] {
    let fitting = learned.filter { $0.diversifier == diversifier && $0.random == random }
    return fitting + givenLongTermKeys + learned.filter { !fitting.contains($0) }
  }

  /// A host's command with a key: LE Enable Encryption, or LE Long Term Key Request Reply.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 7.8.24 and 7.8.25.
  func learn(command octets: ArraySlice<UInt8>) {
    let fields = OctetFields(octets)
    guard fields.count >= 3, fields.u8(1) == 0x20, fields.count == 3 + Int(fields.u8(2)) else { return }
    switch (fields.u8(0), fields.count) {
    case (0x19, 31):
      learn(
        LongTermKey(
          octets: Array(fields.piece(15, 16)), origin: .host, diversifier: fields.u16(13),
          random: fields.u48(5) | UInt64(fields.u16(11)) << 48))
    case (0x1A, 21): learn(LongTermKey(octets: Array(fields.piece(5, 16)), origin: .host))
    default: break
    }
  }
}
