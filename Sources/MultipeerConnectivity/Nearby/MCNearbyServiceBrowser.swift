import Network

/// What a browser tells its app, on a queue of its own.
///
/// Source: Apple, `MCNearbyServiceBrowserDelegate`.
public protocol MCNearbyServiceBrowserDelegate: AnyObject {
  /// A peer can be invited.
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?)
  /// A peer is gone.
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID)
  /// It cannot look; optional for Apple.
  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error)
}

extension MCNearbyServiceBrowserDelegate {
  /// Nothing.
  public func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {}
}

/// Finds peers, and invites them.
///
/// Source: Apple, `MCNearbyServiceBrowser`.
open class MCNearbyServiceBrowser: NSObject, @unchecked Sendable {
  /// Seconds of an invitation whose app gives none.
  private static let usualTimeout = 30.0

  /// Is told of peers.
  open weak var delegate: (any MCNearbyServiceBrowserDelegate)?
  /// The own peer.
  public let myPeerID: MCPeerID
  /// 1 to 15 letters, digits and hyphens.
  public let serviceType: String

  private let queue = DispatchQueue(label: "MCNearbyServiceBrowser")
  private var browser: NWBrowser?
  private var found: [(name: String, peer: MCPeerID)] = []
  private var known: [(name: String, peer: MCPeerID)] = []

  /// A browser; nothing happens before `startBrowsingForPeers()`.
  public init(peer myPeerID: MCPeerID, serviceType: String) {
    self.myPeerID = myPeerID
    self.serviceType = serviceType
    super.init()
  }

  /// Begins; a second call is ignored.
  open func startBrowsingForPeers() {
    guard browser == nil else { return }
    guard ServiceNames.isName(serviceType) else {
      return queue.async { [self] in
        delegate?.browser(self, didNotStartBrowsingForPeers: MCError(.invalidParameter))
      }
    }
    let browser = NWBrowser(
      for: .bonjourWithTXTRecord(type: NearbyService.bonjourType(serviceType), domain: nil),
      using: NearbyService.parameters)
    self.browser = browser
    browser.browseResultsChangedHandler = { [weak self] results, _ in
      let peers = results.compactMap { result -> (name: String, info: [String: String]?)? in
        guard case .service(let name, _, _, _) = result.endpoint else { return nil }
        guard case .bonjour(let record) = result.metadata, !record.dictionary.isEmpty else { return (name, nil) }
        return (name, record.dictionary)
      }
      self?.changed(peers.sorted { $0.name < $1.name })
    }
    browser.start(queue: queue)
  }

  /// Ends it; peers that it found can still be invited.
  open func stopBrowsingForPeers() {
    browser?.cancel()
    browser = nil
    found = []
  }

  /// A peer that says something else of itself is not told again.
  private func changed(_ peers: [(name: String, info: [String: String]?)]) {
    guard browser != nil else { return }
    func isThere(_ name: String) -> Bool { peers.contains { $0.name == name } }
    let gone = found.filter { !isThere($0.name) }
    found.removeAll { !isThere($0.name) }
    for entry in gone { delegate?.browser(self, lostPeer: entry.peer) }
    for (name, info) in peers where !found.contains(where: { $0.name == name }) {
      let peer = known.first { $0.name == name }?.peer ?? MCPeerID(displayName: name)
      if !known.contains(where: { $0.name == name }) { known.append((name, peer)) }
      found.append((name, peer))
      delegate?.browser(self, foundPeer: peer, withDiscoveryInfo: info)
    }
  }

  /// Invites a peer into a session; when it has not joined after the timeout (0: 30 s), the session is told that it is
  /// not connected.
  open func invitePeer(_ peerID: MCPeerID, to session: MCSession, withContext context: Data?, timeout: TimeInterval) {
    guard let name = known.first(where: { $0.peer === peerID })?.name, session.hasPlace else { return }
    let endpoint = NWEndpoint.service(
      name: name, type: NearbyService.bonjourType(serviceType), domain: "local.", interface: nil)
    let stream = PeerStream(NWConnection(to: endpoint, using: NearbyService.parameters), queue: queue)
    session.add(peerID, stream)
    stream.onReady = { [weak stream] in
      if let context { stream?.send(.context, context) }
      stream?.send(.invitation)
    }
    stream.onFrame = { [weak session, weak stream] kind, body in
      guard let session, let stream else { return }
      switch kind {
      case .connected: session.connected(stream)
      case .message: session.received(body, stream)
      case .accepted: break
      case .declined, .invitation, .context:
        stream.cancel()
        session.remove(stream)
      }
    }
    stream.start()
    let seconds = timeout > 0 ? timeout : Self.usualTimeout
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int((seconds * 1_000_000_000).rounded()))) {
      [weak session, weak stream] in
      guard let session, let stream, !session.isConnected(stream) else { return }
      stream.cancel()
      session.remove(stream)
    }
  }
}
