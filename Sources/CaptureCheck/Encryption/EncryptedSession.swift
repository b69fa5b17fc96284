import BluetoothWire
import LinkCrypto

/// What is encrypted after one LL_ENC_REQ with its LL_ENC_RSP, and the key that opens it.
///
/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.1, and Part E. The MIC alone decides: a PDU is in plain when the MIC is right
/// for a key, a sender and a packet counter. Sniffers miss PDUs, so counters are tried: the one that is due, the one
/// before it (a repeat), and up to `near` after it; farther, up to `far`, only where what comes out also has the form
/// of a control PDU or of an L2CAP frame. A wrong key, sender or counter passes once in 4 294 967 296 trials.
final class EncryptedSession {
  static let near: UInt64 = 64
  static let far: UInt64 = 4_096
  /// PDUs that no key opens, after which a session that none has opened yet is given up until there is another key.
  static let patience = 64
  /// Searches far ahead that may fail in a row.
  static let farPatience = 32

  struct Opening {
    var diversifier: UInt16
    var random: UInt64
    var diversifiers: (central: UInt64, peripheral: UInt64)
    var vectors: (central: UInt32, peripheral: UInt32)
  }

  private struct Lock {
    let origin: KeyOrigin
    let central: LinkCipher
    let peripheral: LinkCipher
  }

  let place: PacketPlace
  let accessAddress: UInt32
  private let opening: Opening
  /// The keys of the pairing on this link.
  private let own: [KeyRing.LongTermKey]
  private var locks: [Lock] = []
  private var seenVersion = -1
  private var right: Lock?
  private var nextOfCentral: UInt64 = 0
  private var nextOfPeripheral: UInt64 = 0
  private var farFailures = 0
  private var patienceLeft = 0

  /// Encrypted PDUs that were read, repeats included, and those that were not, with the first of these.
  private(set) var read = 0
  private(set) var unread = 0
  private(set) var firstUnread: PacketPlace?
  /// Keys that were tried.
  private(set) var tried = 0
  var origin: KeyOrigin? { right?.origin }

  init(_ opening: Opening, own: [KeyRing.LongTermKey], accessAddress: UInt32, place: PacketPlace) {
    self.opening = opening
    self.own = own
    self.accessAddress = accessAddress
    self.place = place
  }

  /// The payload in plain; nil when no key fits, or it is not encrypted.
  func open(
    _ payload: [UInt8], llid: UInt8, fromCentral: Bool?, _ ring: KeyRing, at place: PacketPlace
  ) -> (plain: [UInt8], fromCentral: Bool)? {
    let opened = right.map { proceed(payload, llid, fromCentral, $0, ring) } ?? begin(payload, llid, fromCentral, ring)
    if opened == nil {
      unread += 1
      firstUnread = firstUnread ?? place
    } else {
      read += 1
    }
    return opened
  }

  private func cipher(_ lock: Lock, _ fromCentral: Bool) -> LinkCipher { fromCentral ? lock.central : lock.peripheral }
  private func next(_ fromCentral: Bool) -> UInt64 { fromCentral ? nextOfCentral : nextOfPeripheral }

  private func pass(_ plain: [UInt8], _ fromCentral: Bool, _ counter: UInt64) -> (plain: [UInt8], fromCentral: Bool) {
    if fromCentral {
      nextOfCentral = max(nextOfCentral, counter + 1)
    } else {
      nextOfPeripheral = max(nextOfPeripheral, counter + 1)
    }
    farFailures = 0
    return (plain, fromCentral)
  }

  /// The likelier sender first; both, where the sniffer may err.
  private func sides(_ fromCentral: Bool?) -> [Bool] { fromCentral == false ? [false, true] : [true, false] }

  // MARK: With the key

  private func proceed(
    _ payload: [UInt8], _ llid: UInt8, _ fromCentral: Bool?, _ lock: Lock, _ ring: KeyRing
  ) -> (plain: [UInt8], fromCentral: Bool)? {
    let sides = sides(fromCentral)
    for side in sides {
      let due = next(side)
      if let plain = cipher(lock, side).open(payload, llid: llid, counter: due) { return pass(plain, side, due) }
      if due > 0, let plain = cipher(lock, side).open(payload, llid: llid, counter: due - 1) {
        return pass(plain, side, due - 1)
      }
    }
    for side in sides {
      let due = next(side)
      if let found = search(payload, llid, side, lock, due + 1...due + Self.near, ring) { return found }
    }
    if farFailures == Self.farPatience { return nil }
    farFailures += 1
    for side in sides {
      let due = next(side)
      let found = search(payload, llid, side, lock, due + Self.near + 1...due + Self.far, ring, needsForm: true)
      if let found { return found }
    }
    return nil
  }

  private func search(
    _ payload: [UInt8], _ llid: UInt8, _ side: Bool, _ lock: Lock, _ counters: ClosedRange<UInt64>, _ ring: KeyRing,
    needsForm: Bool = false
  ) -> (plain: [UInt8], fromCentral: Bool)? {
    let cipher = cipher(lock, side)
    for counter in counters {
      if ring.trialsLeft == 0 { return nil }
      ring.trialsLeft -= 1
      guard let plain = cipher.open(payload, llid: llid, counter: counter) else { continue }
      if !needsForm || PlainForm.isPlausible(plain, llid: llid) { return pass(plain, side, counter) }
    }
    return nil
  }

  // MARK: While no key is known to be right

  private func begin(
    _ payload: [UInt8], _ llid: UInt8, _ fromCentral: Bool?, _ ring: KeyRing
  ) -> (plain: [UInt8], fromCentral: Bool)? {
    addKeys(ring)
    guard !locks.isEmpty, patienceLeft > 0 else { return nil }
    patienceLeft -= 1
    for lock in locks {
      for side in sides(fromCentral) {
        let opened = search(payload, llid, side, lock, 0...Self.near - 1, ring, needsForm: true)
        guard let opened else { continue }
        right = lock
        locks = []
        return opened
      }
    }
    return nil
  }

  /// Keys that are new since the last PDU: what another capture shows may come late.
  private func addKeys(_ ring: KeyRing) {
    if seenVersion == ring.version { return }
    seenVersion = ring.version
    let keys = own + ring.candidates(diversifier: opening.diversifier, random: opening.random)
    locks = []
    for key in keys {
      let session = LinkSession(
        longTermKey: key.octets, diversifiers: opening.diversifiers,
        vectors: (opening.vectors.central, opening.vectors.peripheral))
      locks.append(
        Lock(
          origin: key.origin, central: session.cipher(sender: .central),
          peripheral: session.cipher(sender: .peripheral)))
    }
    tried = Set(keys.map(\.octets)).count
    patienceLeft = Self.patience
  }
}
