import CoreBluetooth
import LobbyRules

/// One thing that guides do, and the sound host does not: what the suite says of it alone.
enum Mistake: String, CaseIterable {
  /// Cuts the text every 182 octets, and adds no header.
  case rawChunks = "raw-chunks"
  /// Cuts values of 182 octets, whatever the central takes.
  case fixedLength = "fixed-length"
  /// Does not look at what `updateValue` returns.
  case ignoresResult = "ignores-result"
  /// Waits for room with all guests when one has none.
  case oneQueue = "one-queue"
  /// Sends to all that have subscribed: `onSubscribedCentrals: nil`.
  case tellsEverybody = "tells-everybody"
  /// One counter of packets for all guests.
  case oneCounter = "one-counter"
  /// One buffer for what all guests write.
  case oneBuffer = "one-buffer"
  /// What has begun is kept until it is whole.
  case keepsParts = "keeps-parts"
  /// Knows a guest from its subscription on, and drops what it wrote before.
  case knowsSubscribers = "knows-subscribers"
  /// Has no `didUnsubscribeFrom`.
  case missesTheEnd = "misses-the-end"
  /// Encodes by Foundation, whose keys have no order.
  case foundationJSON = "foundation-json"
  /// Advertises without end.
  case alwaysAdvertises = "always-advertises"
  /// Publishes in each `poweredOn`.
  case publishesAgain = "publishes-again"
}

/// The sound host with one mistake.
final class MistakenHost: HostManager {
  private let mistake: Mistake
  private let buffer = Reassembler()
  private var counter: UInt16 = 0

  init(_ mistake: Mistake) { self.mistake = mistake }

  override func encode(_ packet: JSON) -> Data {
    guard mistake == .foundationJSON else { return super.encode(packet) }
    return packet.encodedByFoundation
  }

  override func cut(_ packet: Data, for guest: Guest) -> [Data] {
    switch mistake {
    case .rawChunks:
      return Fragments.chunks(of: packet)
    case .fixedLength:
      guest.packetID &+= 1
      return Fragments.cut(packet, id: guest.packetID &- 1, longest: 182)
    case .oneCounter:
      counter &+= 1
      return Fragments.cut(packet, id: counter &- 1, longest: guest.central.maximumUpdateValueLength)
    default: return super.cut(packet, for: guest)
    }
  }

  override func submit(_ fragment: Data, to guest: Guest) -> Bool {
    switch mistake {
    case .ignoresResult:
      _ = super.submit(fragment, to: guest)
      return true
    case .tellsEverybody:
      guard let manager, let state else { return false }
      return manager.updateValue(fragment, for: state, onSubscribedCentrals: nil)
    default: return super.submit(fragment, to: guest)
    }
  }

  override func flush() {
    guard mistake == .oneQueue else { return super.flush() }
    for guest in guests where guest.isSubscribed {
      while let fragment = nextFragment(of: guest) {
        guard submit(fragment, to: guest) else { return }
        guest.fragments.removeFirst()
      }
    }
  }

  override func makeReassembler() -> Reassembler {
    switch mistake {
    case .oneBuffer: buffer
    case .keepsParts: Reassembler(patience: .never)
    default: super.makeReassembler()
    }
  }

  override func hears(_ central: CBCentral) -> Bool {
    mistake != .knowsSubscribers || guests.contains { $0.central.identifier == central.identifier }
  }

  override func unsubscribed(_ central: CBCentral) {
    if mistake != .missesTheEnd { super.unsubscribed(central) }
  }

  override func advertise() {
    if mistake == .alwaysAdvertises, !isOpen { return }
    super.advertise()
  }

  override func poweredOn(_ manager: CBPeripheralManager) {
    if mistake == .publishesAgain { publish(manager) } else { super.poweredOn(manager) }
  }
}
