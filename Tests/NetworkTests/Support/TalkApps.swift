import Network

/// A host that listens and keeps what comes, written as Apple's samples write it.
final class TalkHost: @unchecked Sendable {
  let listener: NWListener
  private(set) var states: [NWListener.State] = []
  private(set) var registrations: [NWListener.ServiceRegistrationChange] = []
  private(set) var connections: [NWConnection] = []
  private(set) var connectionStates: [[NWConnection.State]] = []
  private(set) var received = Data()
  private(set) var ends = 0
  private let echoes: Bool

  init(_ name: String = "Keynote", parameters: NWParameters = .tcp, limit: Int? = nil, echoes: Bool = true) {
    self.echoes = echoes
    guard let listener = try? NWListener(service: .init(name: name, type: "_talk._tcp"), using: parameters) else {
      fatalError("no listener")
    }
    self.listener = listener
    if let limit { listener.newConnectionLimit = limit }
    listener.stateUpdateHandler = { [unowned self] in states.append($0) }
    listener.serviceRegistrationUpdateHandler = { [unowned self] in registrations.append($0) }
    listener.newConnectionHandler = { [unowned self] connection in take(connection) }
    listener.start(queue: .main)
  }

  private func take(_ connection: NWConnection) {
    let place = connections.count
    connections.append(connection)
    connectionStates.append([])
    connection.stateUpdateHandler = { [unowned self] in connectionStates[place].append($0) }
    connection.start(queue: .main)
    read(connection)
  }

  private func read(_ connection: NWConnection) {
    connection.receive(minimumIncompleteLength: 1, maximumLength: 65_536) { [unowned self] data, _, isComplete, error in
      if let data {
        received += data
        if echoes { connection.send(content: data, completion: .idempotent) }
      }
      if isComplete { ends += 1 }
      if error == nil, !isComplete { read(connection) }
    }
  }
}

/// A guest that browses and connects to the first service that it finds.
final class TalkGuest: @unchecked Sendable {
  let browser: NWBrowser
  private(set) var browserStates: [NWBrowser.State] = []
  private(set) var changes: [NWBrowser.Result.Change] = []
  private(set) var connection: NWConnection?
  private(set) var states: [NWConnection.State] = []
  private(set) var viabilities: [Bool] = []
  private(set) var received = Data()
  private(set) var sent = 0
  private(set) var errors: [NWError] = []
  private let parameters: NWParameters

  init(parameters: NWParameters = .tcp, connects: Bool = true) {
    self.parameters = parameters
    browser = NWBrowser(for: .bonjour(type: "_talk._tcp", domain: nil), using: parameters)
    browser.stateUpdateHandler = { [unowned self] in browserStates.append($0) }
    browser.browseResultsChangedHandler = { [unowned self] results, changes in
      self.changes += changes.sorted { "\($0)" < "\($1)" }
      if connects, connection == nil, let first = results.first { connect(to: first.endpoint) }
    }
    browser.start(queue: .main)
  }

  func connect(to endpoint: NWEndpoint) {
    let connection = NWConnection(to: endpoint, using: parameters)
    self.connection = connection
    connection.stateUpdateHandler = { [unowned self] in states.append($0) }
    connection.viabilityUpdateHandler = { [unowned self] in viabilities.append($0) }
    connection.start(queue: .main)
    read(connection)
  }

  func say(_ text: String) {
    connection?.send(
      content: Data(text.utf8),
      completion: .contentProcessed { [unowned self] error in
        if let error { errors.append(error) } else { sent += 1 }
      })
  }

  private func read(_ connection: NWConnection) {
    connection.receive(minimumIncompleteLength: 1, maximumLength: 65_536) { [unowned self] data, _, isComplete, error in
      if let data { received += data }
      if let error { errors.append(error) }
      if error == nil, !isComplete { read(connection) }
    }
  }
}
