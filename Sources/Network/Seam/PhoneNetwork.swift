import AppSeam
import CoreBluetooth

/// The network of one launch of a phone's app: who of the app has which connection, listener or browser.
///
/// Words of the seam become events of Apple's classes here. Everything happens in the phone's thread, or under the
/// phone's lock where queues are real ones; the app is called on queues of its choice only.
final class PhoneNetwork: @unchecked Sendable {
  let phone: VirtualPhone
  /// Numbers that the app chooses are even.
  private var nextNumber = 2
  /// Who waits for words about a connection.
  private var byNumber: [ConnectionID: NWConnection] = [:]
  /// Started and not over, in the order of their starts.
  private(set) var open: [NWConnection] = []
  var listeners: [NWListener] = []
  var browsers: [NWBrowser] = []
  var monitors: [NWPathMonitor] = []
  var searches: [ServiceSearch] = []
  var services: [KnownService] = []
  /// Limits that were remarked already.
  private var remarked: [CBRemark.Name] = []

  private init(_ phone: VirtualPhone) { self.phone = phone }

  /// The network of the running code's phone; without a phone a line on standard error says so.
  static func current(for what: String) -> PhoneNetwork? {
    guard let phone = VirtualPhone.current else {
      VirtualPhone.remarkWithoutPhone(
        .misuse, .noPhoneForNetwork, "\(what) was made while VirtualPhone.current is nil: it has no network")
      return nil
    }
    return phone.locked {
      if let known = phone.network.owner as? PhoneNetwork { return known }
      let made = PhoneNetwork(phone)
      phone.network.owner = made
      phone.network.receiver = { [weak made] word in made?.take(word) }
      return made
    }
  }

  // MARK: Asking

  func ask(_ effect: NetworkEffect) { phone.ask(.network(effect)) }

  func newNumber(for connection: NWConnection) -> ConnectionID {
    phone.locked {
      defer { nextNumber += 2 }
      let id = ConnectionID(nextNumber)
      byNumber[id] = connection
      return id
    }
  }

  func know(_ connection: NWConnection, as id: ConnectionID) { phone.locked { byNumber[id] = connection } }
  /// What is still told under this number is of nobody.
  func forget(_ id: ConnectionID) { phone.locked { byNumber[id] = nil } }
  func opened(_ connection: NWConnection) { phone.locked { open.append(connection) } }
  func closed(_ connection: NWConnection) { phone.locked { open.removeAll { $0 === connection } } }

  /// The interfaces that have a link; nil: the phone was told of none.
  var links: [NetworkInterface]? { phone.locked { phone.network.links } }

  // MARK: What the seam tells

  private func take(_ word: NetworkInput) {
    switch word {
    case .listenerReady(let type, let name, let port):
      listeners.first { $0.listens(for: type) }?.registered(name, port: port)
    case .listenerFailed(let type, let reason): listeners.first { $0.listens(for: type) }?.failed(reason)
    case .found(let id, let type, let name, let interfaces, let record): found(id, type, name, interfaces, record)
    case .recordChanged(let id, let record): recordChanged(id, record)
    case .changed(let id, let interfaces): changed(id, interfaces)
    case .lost(let id): lost(id)
    case .incoming(let id, let interface, let peer): incoming(id, interface, peer)
    case .pathChanged:
      for monitor in monitors { monitor.pathChanged() }
      for connection in open { connection.networkChanged() }
    case .ready(let id, let interface): byNumber[id]?.becameReady(over: interface)
    case .waiting(let id, let reason): byNumber[id]?.waits(for: reason)
    case .failed(let id, let reason): take(id)?.broke(reason)
    case .received(let id, let octets): byNumber[id]?.received(octets)
    case .ended(let id): byNumber[id]?.peerEnded()
    case .submitted(let id, let accepted): byNumber[id]?.submitted(accepted)
    case .room(let id): byNumber[id]?.hasRoom()
    case .viable(let id, let isViable): byNumber[id]?.viability(isViable)
    case .betterPath(let id, let isThere): byNumber[id]?.betterPath(isThere)
    case .cancelled(let id): take(id)?.cancelDone()
    }
  }

  /// The connection of a number that nothing more is told about.
  private func take(_ id: ConnectionID) -> NWConnection? { phone.locked { byNumber.removeValue(forKey: id) } }

  private func incoming(_ id: ConnectionID, _ interface: NetworkInterface, _ peer: String) {
    let running = listeners.filter(\.isListening)
    guard let listener = running.first else { return ask(.cancel(id)) }
    if running.count > 1 {
      remarkOnce(
        .limit, .severalListeners,
        "the app has \(running.count) listeners, and the seam does not say which one a connection is for; the first has it"
      )
    }
    let connection = NWConnection(from: peer, id, interface, listener, self)
    know(connection, as: id)
    listener.arrived(connection)
  }

  // MARK: For the trace

  func note(_ method: String, _ arguments: [String] = []) { phone.note(.call(method: method, arguments: arguments)) }
  func noteCallback(_ method: String, _ arguments: [String] = []) {
    phone.note(.callback(method: method, arguments: arguments))
  }

  /// A limit of the bench, the first time.
  func remarkOnce(_ kind: CBRemark.Kind, _ name: CBRemark.Name, _ text: String) {
    let isFirst = phone.locked {
      if remarked.contains(name) { return false }
      remarked.append(name)
      return true
    }
    if isFirst { phone.remark(kind, name, text) }
  }

  /// What every use of parameters remarks.
  func check(_ parameters: NWParameters) {
    if parameters.hasTLS {
      remarkOnce(.limit, .tlsNotModelled, "TLS is not modelled: octets go as they are, and nobody is authenticated")
    }
    let framers = parameters.defaultProtocolStack.applicationProtocols.filter { $0 is NWProtocolFramer.Options }
    if framers.count > 1 {
      remarkOnce(.limit, .severalFramers, "\(framers.count) framers are in one stack; the uppermost one is used")
    }
  }
}
