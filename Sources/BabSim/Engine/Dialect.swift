public import AppSeam
public import BluetoothWire
public import SimKernel

/// One of the published ways to speak Bab over GATT; every number in which they differ stands here.
///
/// Three sources publish three profiles that cannot talk to each other; the bench runs each of them.
///
/// Spec: BAB 2.
public struct Dialect: Hashable, Sendable {
  /// What goes into the local name of the advertisement.
  public enum NameRule: Hashable, Sendable {
    case fixed(String)
    /// `bab-game-` and the host's peer id.
    case gameOfPeer
    /// A prefix and the first characters of the host's display name.
    case prefix(String, characters: Int)
  }

  /// How a client tells a host from other advertisers.
  public enum HostRule: Hashable, Sendable {
    /// Scan for the service UUID.
    case serviceUUID
    /// Scan without a filter and take local names that begin so.
    case namePrefix(String)
  }

  public enum ClientWrites: String, Hashable, Sendable, CaseIterable {
    case withResponse
    case withoutResponse
  }

  public var name: String
  public var service: BluetoothUUID
  /// Client to host.
  public var command: ServiceDefinition.Characteristic
  /// Host to client; the packets of the game.
  public var state: ServiceDefinition.Characteristic
  /// Further characteristics of the profile; a client subscribes to those that notify, and takes packets from them.
  public var others: [ServiceDefinition.Characteristic]
  public var nameRule: NameRule
  public var hostRule: HostRule
  /// Host and clients together.
  public var capacity: Int
  /// The ATT_MTU a client asks for.
  public var wishedATTMTU: Int
  public var framing: Framing
  /// The pause between two values of one packet; zero = none. Only the raw framing's source asks for one.
  public var fragmentSpacing: SimDuration
  public var clientWrites: ClientWrites
  public var scoring: ScoringFormula
  public var pronunciation: Pronunciation.Rule
  /// How long a client looks for its first host; nil = until it is told to stop.
  public var scanTimeout: SimDuration?
  /// How long a client waits for one connection attempt.
  public var connectTimeout: SimDuration
  /// How long a lost peer is waited for, on both sides.
  public var reconnectWindow: SimDuration
  /// Whether the state characteristic also answers reads, with the newest lobby.
  public var hasReadableState: Bool { state.properties.contains(.read) }

  /// Every characteristic that notifies, the packets' own first.
  public var notifying: [ServiceDefinition.Characteristic] {
    [state] + others.filter { $0.properties.contains(.notify) }
  }

  public var serviceDefinition: ServiceDefinition {
    ServiceDefinition(uuid: service, characteristics: [command, state] + others)
  }

  /// The local name a host advertises.
  public func advertisedName(peerID: String, displayName: String) -> String {
    switch nameRule {
    case .fixed(let name): name
    case .gameOfPeer: "bab-game-" + peerID
    case .prefix(let prefix, let characters): prefix + String(displayName.prefix(characters))
    }
  }

  /// What a client hands to the scan; empty = unfiltered.
  public var scanFilter: [BluetoothUUID] {
    switch hostRule {
    case .serviceUUID: [service]
    case .namePrefix: []
    }
  }

  /// Whether an advertiser is a host of this dialect as far as its advertisement shows.
  public func isHost(_ advertisement: Advertisement) -> Bool {
    switch hostRule {
    case .serviceUUID: advertisement.serviceUUIDs.contains(service)
    case .namePrefix(let prefix): advertisement.localName?.hasPrefix(prefix) ?? false
    }
  }
}

extension Dialect {
  public static let all: [Dialect] = [.guide, .sdk, .app]

  /// The dialect of that name, nil when there is none.
  public static func named(_ name: String) -> Dialect? { all.first { $0.name == name } }

  /// The integration guide's profile.
  public static let guide = Dialect(
    name: "guide",
    service: guideUUID(0x9ABC),
    command: .init(uuid: guideUUID(0x9ABD), properties: [.write, .writeWithoutResponse]),
    state: .init(uuid: guideUUID(0x9ABE), properties: [.notify]),
    others: [],
    nameRule: .fixed("BabLanguage Game"),
    hostRule: .serviceUUID,
    capacity: 8,
    wishedATTMTU: 185,
    framing: .framed,
    fragmentSpacing: .zero,
    clientWrites: .withResponse,
    scoring: .guide,
    pronunciation: .extraWordsCount,
    scanTimeout: nil,
    connectTimeout: .seconds(10),
    reconnectWindow: .seconds(30))

  /// What the published SDK's own network layer uses.
  public static let sdk = Dialect(
    name: "sdk",
    service: BluetoothUUID(0xBAB1),
    command: .init(uuid: BluetoothUUID(0xBAB2), properties: [.write, .writeWithoutResponse]),
    state: .init(uuid: BluetoothUUID(0xBAB3), properties: [.notify]),
    others: [.init(uuid: BluetoothUUID(0xBAB4), properties: [.notify])],
    nameRule: .gameOfPeer,
    hostRule: .serviceUUID,
    capacity: 8,
    wishedATTMTU: 185,
    framing: .framed,
    fragmentSpacing: .zero,
    clientWrites: .withResponse,
    scoring: .sdk,
    pronunciation: .extraWordsIgnored,
    scanTimeout: nil,
    connectTimeout: .seconds(10),
    reconnectWindow: .seconds(30))

  /// The app's profile: four players, found by name.
  public static let app = Dialect(
    name: "app",
    service: appUUID(1),
    command: .init(uuid: appUUID(3), properties: [.write]),
    state: .init(uuid: appUUID(2), properties: [.read, .notify]),
    others: [
      .init(uuid: appUUID(4), properties: [.write, .notify]),
      .init(uuid: appUUID(5), properties: [.read, .notify]),
    ],
    nameRule: .prefix("BAB-", characters: 8),
    hostRule: .namePrefix("BAB-"),
    capacity: 4,
    wishedATTMTU: 517,
    framing: .framed,
    fragmentSpacing: .zero,
    clientWrites: .withResponse,
    scoring: .guide,
    pronunciation: .extraWordsIgnored,
    scanTimeout: .seconds(15),
    connectTimeout: .seconds(30),
    reconnectWindow: .seconds(30))

  /// `12345678-1234-1234-1234-12345678xxxx`.
  private static func guideUUID(_ low: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x1234_5678_1234_1234, low: 0x1234_1234_5678_0000 | low)
  }

  /// `BAB10000-1A46-0001-0000-00000000000x`.
  private static func appUUID(_ low: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0xBAB1_0000_1A46_0001, low: low)
  }
}

extension Dialect: CustomStringConvertible {
  public var description: String { name }
}
