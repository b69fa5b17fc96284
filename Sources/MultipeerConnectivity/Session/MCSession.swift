/// Peers that are connected with this one.
///
/// Source: Apple, `MCSession`. Each invitation is a connection between two peers; guests of one host are not connected
/// with each other, as those of Apple's sessions are. Streams and resources are not modelled.
open class MCSession: NSObject, @unchecked Sendable {
  private struct Member {
    var peer: MCPeerID
    var stream: PeerStream
    var state: MCSessionState
  }

  /// The own peer.
  public let myPeerID: MCPeerID
  /// Without effect.
  public let securityIdentity: [Any]?
  /// Without effect.
  public let encryptionPreference: MCEncryptionPreference
  /// Is told what happens.
  open weak var delegate: (any MCSessionDelegate)?

  let queue = DispatchQueue(label: "MCSession")
  private let lock = NSRecursiveLock()
  private var members: [Member] = []

  /// A session that encrypts, as Apple's default is; nothing is encrypted here.
  public convenience init(peer myPeerID: MCPeerID) {
    self.init(peer: myPeerID, securityIdentity: nil, encryptionPreference: .required)
  }

  /// A session.
  public init(peer myPeerID: MCPeerID, securityIdentity identity: [Any]?, encryptionPreference: MCEncryptionPreference)
  {
    self.myPeerID = myPeerID
    securityIdentity = identity
    self.encryptionPreference = encryptionPreference
    super.init()
  }

  /// Peers to which data can be sent.
  open var connectedPeers: [MCPeerID] { locked { members.filter { $0.state == .connected }.map(\.peer) } }

  /// Sends data to peers, as one message each.
  /// - Throws: `MCError`: there is no peer, no data, or one of the peers is not connected.
  open func send(_ data: Data, toPeers peerIDs: [MCPeerID], with mode: MCSessionSendDataMode) throws {
    guard !peerIDs.isEmpty, !data.isEmpty else { throw MCError(.invalidParameter) }
    let streams = try locked {
      try peerIDs.map { peer in
        guard let member = members.first(where: { $0.peer === peer && $0.state == .connected }) else {
          throw MCError(.notConnected)
        }
        return member.stream
      }
    }
    for stream in streams { stream.send(.message, data) }
  }

  /// Leaves the session: all connections end, after what was sent.
  open func disconnect() {
    let ended = locked {
      defer { members = [] }
      return members
    }
    for member in ended {
      member.stream.cancel()
      tell(member.peer, .notConnected)
    }
  }

  /// Ends the attempt to connect with a peer.
  open func cancelConnectPeer(_ peerID: MCPeerID) {
    for member in locked({ members.filter { $0.peer === peerID && $0.state == .connecting } }) {
      member.stream.cancel()
      remove(member.stream)
    }
  }

  // MARK: For advertisers and browsers

  /// Whether there is a place; peers that are being connected have one.
  var hasPlace: Bool { locked { members.count < kMCSessionMaximumNumberOfPeers - 1 } }

  /// A peer that was invited, or has accepted.
  func add(_ peer: MCPeerID, _ stream: PeerStream) {
    locked { members.append(Member(peer: peer, stream: stream, state: .connecting)) }
    stream.onEnd = { [weak self, weak stream] in
      if let stream { self?.remove(stream) }
    }
    tell(peer, .connecting)
  }

  func connected(_ stream: PeerStream) {
    let peer = locked { () -> MCPeerID? in
      guard let place = members.firstIndex(where: { $0.stream === stream }) else { return nil }
      members[place].state = .connected
      return members[place].peer
    }
    if let peer { tell(peer, .connected) }
  }

  func isConnected(_ stream: PeerStream) -> Bool {
    locked { members.contains { $0.stream === stream && $0.state == .connected } }
  }

  func received(_ data: Data, _ stream: PeerStream) {
    guard let peer = locked({ members.first { $0.stream === stream && $0.state == .connected }?.peer }) else { return }
    queue.async { [self] in delegate?.session(self, didReceive: data, fromPeer: peer) }
  }

  func remove(_ stream: PeerStream) {
    let gone = locked { () -> Member? in
      guard let place = members.firstIndex(where: { $0.stream === stream }) else { return nil }
      return members.remove(at: place)
    }
    if let gone { tell(gone.peer, .notConnected) }
  }

  private func tell(_ peer: MCPeerID, _ state: MCSessionState) {
    queue.async { [self] in delegate?.session(self, peer: peer, didChange: state) }
  }

  private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
