import Network

/// Listens, browses and connects.
final class P2PConnectionManager {
  // Host
  /// The service is registered, under this name.
  var onRegistered: ((String) -> Void)?
  /// The listener is gone; whether the system has taken it back.
  var onListenerFailed: ((Bool) -> Void)?
  var onIncoming: ((P2PStream) -> Void)?
  // Guest
  var onFound: ((String) -> Void)?
  var onLost: ((String) -> Void)?

  private var listener: NWListener?
  private var browser: NWBrowser?
  private var wakingBrowser: NWBrowser?
  private let wakeEnd = Alarm()

  /// TCP with keep-alive after five seconds of silence, three questions five seconds apart.
  private static func parameters(peerToPeer: Bool) -> NWParameters {
    let tcp = NWProtocolTCP.Options()
    tcp.enableKeepalive = true
    tcp.keepaliveIdle = 5
    tcp.keepaliveInterval = 5
    tcp.keepaliveCount = 3
    let parameters = NWParameters(tls: nil, tcp: tcp)
    parameters.includePeerToPeer = peerToPeer
    return parameters
  }

  // MARK: Host

  func host(_ name: String) {
    listener?.cancel()
    guard
      let listener = try? NWListener(
        service: NWListener.Service(name: name, type: Beam.serviceType), using: Self.parameters(peerToPeer: true))
    else {
      onListenerFailed?(false)
      return
    }
    self.listener = listener
    listener.stateUpdateHandler = { [weak self, weak listener] state in
      guard let self, let listener, listener === self.listener else { return }
      if case .failed(let error) = state {
        self.listener = nil
        onListenerFailed?(error == .dns(DNSServiceErrorType(kDNSServiceErr_DefunctConnection)))
      }
    }
    listener.serviceRegistrationUpdateHandler = { [weak self] change in
      if case .add(.service(let name, _, _, _)) = change { self?.onRegistered?(name) }
    }
    listener.newConnectionHandler = { [weak self] connection in
      guard let onIncoming = self?.onIncoming else { return connection.cancel() }
      onIncoming(P2PStream(connection))
    }
    listener.start(queue: .main)
  }

  func stopHosting() {
    listener?.cancel()
    listener = nil
  }

  // MARK: Guest

  func browse() {
    let browser = NWBrowser(
      for: .bonjour(type: Beam.serviceType, domain: nil), using: Self.parameters(peerToPeer: true))
    self.browser = browser
    browser.browseResultsChangedHandler = { [weak self, weak browser] _, changes in
      guard let self, let browser, browser === self.browser else { return }
      var (added, removed): ([String], [String]) = ([], [])
      for change in changes {
        switch change {
        case .added(let result): if let name = Self.name(of: result) { added.append(name) }
        case .removed(let result): if let name = Self.name(of: result) { removed.append(name) }
        default: break
        }
      }
      for name in removed.sorted() { onLost?(name) }
      for name in added.sorted() { onFound?(name) }
    }
    browser.start(queue: .main)
  }

  private static func name(of result: NWBrowser.Result) -> String? {
    if case .service(let name, _, _, _) = result.endpoint { name } else { nil }
  }

  func stopBrowsing() {
    wakingBrowser?.cancel()
    wakingBrowser = nil
    browser?.cancel()
    browser = nil
  }

  /// Keeps Wi-Fi from peer to peer awake for some time: one more browser that asks for it.
  func wakePeerToPeer() {
    wakingBrowser?.cancel()
    let browser = NWBrowser(
      for: .bonjour(type: Beam.serviceType, domain: nil), using: Self.parameters(peerToPeer: true))
    wakingBrowser = browser
    browser.start(queue: .main)
    wakeEnd.set(after: Beam.wake) { [weak self, weak browser] in
      guard let self, let browser, browser === wakingBrowser else { return }
      browser.cancel()
      wakingBrowser = nil
    }
  }

  /// - Parameter infrastructure: nothing but Wi-Fi through an access point.
  func connect(to name: String, infrastructure: Bool) -> P2PStream {
    P2PStream(
      NWConnection(
        to: .service(name: name, type: Beam.serviceType, domain: "local.", interface: nil),
        using: Self.parameters(peerToPeer: !infrastructure)))
  }
}
