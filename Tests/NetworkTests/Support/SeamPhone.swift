import AppSeam
import BluetoothWire
import CoreBluetooth
import Network
import SimKernel

/// A phone whose network is the test: words of the seam in, effects out. The app runs on a real queue.
final class SeamPhone: @unchecked Sendable {
  let phone: VirtualPhone
  let queue = DispatchQueue(label: "app")
  private var time = SimInstant.zero

  /// - Parameter links: the interfaces that have a link; nil: the phone is told of none.
  init(links: [NetworkInterface]? = [.infrastructure, .peerToPeer]) {
    phone = VirtualPhone(.init(seed: 1, address: BluetoothAddress(kind: .random, bits: 0xC000_0000_0001)))
    if let links { tell(.pathChanged(links)) }
  }

  deinit { phone.end() }

  /// What the app asks of the network when it is told these words, in one instant each.
  @discardableResult
  func tell(_ words: NetworkInput...) -> [NetworkEffect] {
    words.flatMap { word in
      time = time + .milliseconds(1)
      return Self.network(phone.handle(.network(word), at: time))
    }
  }

  /// What the app asks of the network when it does this.
  @discardableResult
  func act(_ body: @escaping () -> Void) -> [NetworkEffect] {
    phone.settle(time) { [phone] in phone.whileCurrent(body) }
    return Self.network(phone.takeEffects())
  }

  private static func network(_ effects: [AppEffect]) -> [NetworkEffect] {
    effects.compactMap { if case .network(let effect) = $0 { effect } else { nil } }
  }

  /// `misuse connection.send-after-end` and so on.
  var remarks: [String] { phone.takeRemarks().map { "\($0.kind.rawValue) \($0.name.rawValue)" } }

  /// A browser's search found a service.
  static func found(
    _ name: String = "Keynote", as number: Int = 0,
    on interfaces: [NetworkInterface] = [.infrastructure, .peerToPeer], record: [UInt8] = []
  ) -> NetworkInput {
    .found(EndpointID(number), type: "_talk._tcp", name: name, interfaces: interfaces, record: record)
  }

  static let service = NWEndpoint.service(name: "Keynote", type: "_talk._tcp", domain: "local.", interface: nil)

  /// Looks for the service, so that connections to it are asked for at once.
  func findService() {
    act { [self] in
      browser = NWBrowser(for: .bonjour(type: "_talk._tcp", domain: nil), using: .tcp)
      browser?.start(queue: queue)
    }
    tell(Self.found())
  }
  var browser: NWBrowser?

  /// A watched connection to the service.
  func connection(to endpoint: NWEndpoint = SeamPhone.service, using parameters: NWParameters = .tcp) -> Watched {
    phone.whileCurrent { Watched(NWConnection(to: endpoint, using: parameters), queue) }
  }

  /// A connection that is ready, under the number 2.
  func ready(using parameters: NWParameters = .tcp) -> Watched {
    findService()
    let watched = connection(using: parameters)
    act { watched.start() }
    tell(.ready(ConnectionID(2), .infrastructure))
    return watched
  }
}

/// A connection, and what its app was told.
final class Watched: @unchecked Sendable {
  let connection: NWConnection
  let queue: DispatchQueue
  private(set) var states: [NWConnection.State] = []
  private(set) var viabilities: [Bool] = []
  private(set) var betterPaths: [Bool] = []
  private(set) var paths: [NWPath] = []
  private(set) var received: [Received] = []
  private(set) var sent: [NWError?] = []
  /// Everything in its order, in words.
  private(set) var events: [String] = []

  struct Received: Equatable {
    var octets: [UInt8]?
    var isComplete: Bool
    var isFinal: Bool?
    var error: NWError?
  }

  init(_ connection: NWConnection, _ queue: DispatchQueue) {
    self.connection = connection
    self.queue = queue
    connection.stateUpdateHandler = { [self] state in
      dispatchPrecondition(condition: .onQueue(queue))
      states.append(state)
      events.append("\(state)")
    }
    connection.viabilityUpdateHandler = { [self] in
      viabilities.append($0)
      events.append("viable \($0)")
    }
    connection.betterPathUpdateHandler = { [self] in betterPaths.append($0) }
    connection.pathUpdateHandler = { [self] in paths.append($0) }
  }

  func start() { connection.start(queue: queue) }

  func receive(_ minimum: Int = 1, _ maximum: Int = 65_536) {
    connection.receive(minimumIncompleteLength: minimum, maximumLength: maximum) {
      [self] data, context, isComplete, error in
      take(data, context, isComplete, error)
    }
  }

  func receiveMessage() {
    connection.receiveMessage { [self] data, context, isComplete, error in take(data, context, isComplete, error) }
  }

  private func take(_ data: Data?, _ context: NWConnection.ContentContext?, _ isComplete: Bool, _ error: NWError?) {
    dispatchPrecondition(condition: .onQueue(queue))
    received.append(
      Received(octets: data.map { [UInt8]($0) }, isComplete: isComplete, isFinal: context?.isFinal, error: error))
    events.append("received \(data?.count ?? 0)")
  }

  func send(
    _ octets: [UInt8]?, _ context: NWConnection.ContentContext = .defaultMessage, isComplete: Bool = true
  ) {
    connection.send(
      content: octets.map { Data($0) }, contentContext: context, isComplete: isComplete,
      completion: .contentProcessed { [self] error in
        sent.append(error)
        events.append("sent \(error.map { "\($0)" } ?? "")")
      })
  }
}
