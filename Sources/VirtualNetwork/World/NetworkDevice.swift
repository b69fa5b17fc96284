import AppSeam
import SimKernel

/// One device of the network: what its system keeps for its app.
final class NetworkDevice {
  /// What waits for the app.
  enum Pending {
    case input(NetworkInput)
    /// Octets of a connection, an index, can be read.
    case readable(Int)
  }

  let index: Int
  let station: NetworkStation
  /// Stands for the name in addresses of draws, so that the order of devices decides nothing.
  let number: UInt64
  let isOffered: [Bool]

  let pending = Fifo<Pending>()
  /// It is in the queue of devices that have something to tell.
  @exclusivity(unchecked) var isQueued = false
  @exclusivity(unchecked) var isSuspended = false

  // MARK: The app's

  /// Indices of connections by the app's numbers.
  @exclusivity(unchecked) var connections: [ConnectionID: Int] = [:]
  /// Those that are not over, in the order in which they began.
  @exclusivity(unchecked) var open: [Int] = []
  @exclusivity(unchecked) var nextIncoming = 1
  @exclusivity(unchecked) var listeners: [NetworkListener] = []
  @exclusivity(unchecked) var browsers: [NetworkBrowser] = []
  /// By their numbers.
  @exclusivity(unchecked) var endpoints: [NetworkEndpoint] = []
  /// It was told since it started.
  @exclusivity(unchecked) var lastPath: [NetworkInterface]?

  // MARK: Interfaces

  @exclusivity(unchecked) var wifiIsOn = true
  @exclusivity(unchecked) var wantsInfrastructure: Bool
  @exclusivity(unchecked) var isJoined = false
  @exclusivity(unchecked) var isVanished = false
  @exclusivity(unchecked) var isAwake = false
  @exclusivity(unchecked) var primedUntil = SimInstant.zero
  @exclusivity(unchecked) var joins = 0
  @exclusivity(unchecked) var joinEvent: EventHandle?
  @exclusivity(unchecked) var beaconLossEvent: EventHandle?
  @exclusivity(unchecked) var primeEvent: EventHandle?
  /// Until when AWDL stays awake for the end of a stream, and the event then.
  @exclusivity(unchecked) var lingersUntil = SimInstant.zero
  @exclusivity(unchecked) var lingerEvent: EventHandle?
  @exclusivity(unchecked) var reclaimEvent: EventHandle?
  @exclusivity(unchecked) var synchronisation: EventHandle?
  @exclusivity(unchecked) var greetings: UInt64 = 0

  // MARK: Names, by interface

  @exclusivity(unchecked) var names: [NameService?] = [nil, nil]
  @exclusivity(unchecked) var namesEvents: [EventHandle?] = [nil, nil]
  @exclusivity(unchecked) var namesMade = 0

  // MARK: Sockets

  @exclusivity(unchecked) private var portsUsed = 0
  @exclusivity(unchecked) var streamsOpened: UInt64 = 0
  @exclusivity(unchecked) var identification: UInt16 = 0
  @exclusivity(unchecked) var statistics = NetworkStatistics.Device()
  @exclusivity(unchecked) var digest = TraceDigest()

  init(_ index: Int, _ station: NetworkStation, hasAccessPoint: Bool) {
    self.index = index
    self.station = station
    number = RandomField.number(of: station.name)
    isOffered = [hasAccessPoint, station.hasPeerToPeer]
    wantsInfrastructure = station.hasInfrastructure && hasAccessPoint
    digest.combine(text: station.name)
  }

  /// Who leads a cluster: the greatest metric, then the greatest address (NET 4.9; all counters are 0).
  var rank: (Int, UInt64) { (station.metric, number) }

  var hostName: String { station.name + ".local" }

  /// From the dynamic range (RFC 6335, 6).
  func takePort() -> UInt16 {
    portsUsed += 1
    return 49_152 + UInt16((portsUsed - 1) % 16_384)
  }

  /// Whether an interface has a link. One from peer to peer has one as soon as it is on: whom it reaches is another
  /// question.
  func hasLink(_ interface: NetworkInterface) -> Bool {
    switch interface {
    case .infrastructure: isJoined
    case .peerToPeer: station.hasPeerToPeer && wifiIsOn
    }
  }

  /// Where a service that a browser knows is in `endpoints`.
  func place(of name: String, _ type: String) -> Int? {
    endpoints.lastIndex { $0.isThere && $0.type == type && $0.name == name }
  }

  var links: [NetworkInterface] { NetworkInterface.allCases.filter(hasLink) }
}

/// A listener of an app.
final class NetworkListener {
  var request: ListenRequest
  let port: UInt16
  /// The name that it has, once it is ready.
  var name: String?
  /// Streams that its app was not told of.
  var unaccepted = 0

  init(_ request: ListenRequest, port: UInt16) {
    self.request = request
    self.port = port
  }

  static let backlog = 16
  var isDatagram: Bool { request.type.hasSuffix("._udp") }
  func takes(_ interface: NetworkInterface) -> Bool { interface == .infrastructure || request.peerToPeer }
}

/// A browser of an app.
struct NetworkBrowser {
  var type: String
  var peerToPeer: Bool

  func uses(_ interface: NetworkInterface) -> Bool { interface == .infrastructure || peerToPeer }
}

/// A service that a browser found.
struct NetworkEndpoint {
  var type: String
  var name: String
  var hostName: String
  /// Its TXT record as its app was told last.
  var record: [UInt8]
  /// By interface; nil: it was not found there.
  var ports: [UInt16?] = [nil, nil]
  var firstFound: SimInstant
  /// The browser has not forgotten it.
  var isThere = true

  var interfaces: [NetworkInterface] { NetworkInterface.allCases.filter { ports[$0.index] != nil } }
}

extension NetworkInterface {
  /// A dense number, in the order of `allCases`.
  var index: Int { self == .infrastructure ? 0 : 1 }
}
