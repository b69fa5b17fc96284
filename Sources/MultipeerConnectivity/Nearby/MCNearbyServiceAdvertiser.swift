import Network

/// What an advertiser tells its app, on a queue of its own.
///
/// Source: Apple, `MCNearbyServiceAdvertiserDelegate`.
public protocol MCNearbyServiceAdvertiserDelegate: AnyObject {
  /// A peer wants this one in its session; the app answers with the session that it is to join.
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void)
  /// It cannot advertise; optional for Apple.
  func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error)
}

extension MCNearbyServiceAdvertiserDelegate {
  /// Nothing.
  public func advertiser(_ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error) {}
}

/// Says that this peer can be invited.
///
/// Source: Apple, `MCNearbyServiceAdvertiser`. Who invites is known by the device's name in the network.
open class MCNearbyServiceAdvertiser: NSObject, @unchecked Sendable {
  /// From acceptance until both are connected, in milliseconds.
  private static let connectTime = 500...1_500

  /// Is told of invitations.
  open weak var delegate: (any MCNearbyServiceAdvertiserDelegate)?
  /// The own peer.
  public let myPeerID: MCPeerID
  /// What peers are to know before they invite: a TXT record, of 1 200 octets at most.
  public let discoveryInfo: [String: String]?
  /// 1 to 15 letters, digits and hyphens.
  public let serviceType: String

  private let queue = DispatchQueue(label: "MCNearbyServiceAdvertiser")
  private var listener: NWListener?
  private var waiting: [PeerStream] = []

  /// An advertiser; nothing happens before `startAdvertisingPeer()`.
  public init(peer myPeerID: MCPeerID, discoveryInfo info: [String: String]?, serviceType: String) {
    self.myPeerID = myPeerID
    discoveryInfo = info
    self.serviceType = serviceType
    super.init()
  }

  /// Begins; a second call is ignored.
  open func startAdvertisingPeer() {
    guard listener == nil else { return }
    let name = NWListener.Service(
      name: myPeerID.displayName, type: NearbyService.bonjourType(serviceType),
      txtRecord: discoveryInfo.map { NWTXTRecord($0).data })
    guard ServiceNames.isName(serviceType),
      let listener = try? NWListener(service: name, using: NearbyService.parameters)
    else { return tellFailure(MCError(.invalidParameter)) }
    self.listener = listener
    listener.newConnectionHandler = { [weak self] in self?.take($0) }
    listener.stateUpdateHandler = { [weak self] state in
      guard let self, case .failed(let error) = state else { return }
      self.listener = nil
      tellFailure(error)
    }
    listener.start(queue: queue)
  }

  /// Ends it; invitations that are not answered are declined.
  open func stopAdvertisingPeer() {
    listener?.cancel()
    listener = nil
    for stream in waiting { stream.cancel() }
    waiting = []
  }

  private func tellFailure(_ error: any Error) {
    queue.async { [self] in delegate?.advertiser(self, didNotStartAdvertisingPeer: error) }
  }

  private func take(_ connection: NWConnection) {
    let stream = PeerStream(connection, queue: queue)
    var context: Data?
    waiting.append(stream)
    stream.onFrame = { [weak self, weak stream] kind, body in
      guard let self, let stream else { return }
      switch kind {
      case .context: context = body
      case .invitation: invited(stream, context)
      default: drop(stream)
      }
    }
    stream.onEnd = { [weak self, weak stream] in
      if let stream { self?.waiting.removeAll { $0 === stream } }
    }
    stream.start()
  }

  private func drop(_ stream: PeerStream) {
    waiting.removeAll { $0 === stream }
    stream.cancel()
  }

  private func invited(_ stream: PeerStream, _ context: Data?) {
    let peer = MCPeerID(displayName: stream.deviceName)
    stream.onFrame = { [weak self, weak stream] _, _ in
      if let stream { self?.drop(stream) }
    }
    guard let delegate else { return decline(stream) }
    delegate.advertiser(self, didReceiveInvitationFromPeer: peer, withContext: context) { [self] accepts, session in
      queue.async { [self] in
        guard waiting.contains(where: { $0 === stream }) else { return }
        if accepts, let session, session.hasPlace { accept(stream, peer, session) } else { decline(stream) }
      }
    }
  }

  private func decline(_ stream: PeerStream) {
    waiting.removeAll { $0 === stream }
    stream.send(.declined)
    stream.finish()
  }

  private func accept(_ stream: PeerStream, _ peer: MCPeerID, _ session: MCSession) {
    waiting.removeAll { $0 === stream }
    session.add(peer, stream)
    stream.onFrame = { [weak session, weak stream] kind, body in
      guard let session, let stream else { return }
      if kind == .message { session.received(body, stream) }
    }
    stream.send(.accepted)
    queue.asyncAfter(deadline: .now() + .milliseconds(Int.random(in: Self.connectTime))) {
      [weak session, weak stream] in
      guard let session, let stream else { return }
      stream.send(.connected)
      session.connected(stream)
    }
  }
}
