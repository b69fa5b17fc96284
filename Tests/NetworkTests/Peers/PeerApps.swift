import MultipeerConnectivity

/// A host as samples of Multipeer Connectivity have it: it advertises, accepts who comes, and sends to all.
final class PeerHost: NSObject, MCSessionDelegate, MCNearbyServiceAdvertiserDelegate, @unchecked Sendable {
  let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let accepts: Bool
  private(set) var events: [String] = []
  private(set) var contexts: [Data?] = []
  private(set) var received: [Data] = []
  var onConnected: ((MCPeerID) -> Void)?

  init(_ name: String = "Keynote", service: String = "talk", accepts: Bool = true, info: [String: String]? = nil) {
    let peer = MCPeerID(displayName: name)
    session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
    advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: info, serviceType: service)
    self.accepts = accepts
    super.init()
    session.delegate = self
    advertiser.delegate = self
    advertiser.startAdvertisingPeer()
  }

  func say(_ text: String) throws {
    try session.send(Data(text.utf8), toPeers: session.connectedPeers, with: .reliable)
  }

  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID, withContext context: Data?,
    invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    contexts.append(context)
    invitationHandler(accepts, session)
  }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    events.append("\(peerID.displayName) \(state)")
    if state == .connected { onConnected?(peerID) }
  }
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) { received.append(data) }
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}

/// A guest that invites the first peer that it finds.
final class PeerGuest: NSObject, MCSessionDelegate, MCNearbyServiceBrowserDelegate, @unchecked Sendable {
  let session: MCSession
  let browser: MCNearbyServiceBrowser
  private let context: Data?
  private(set) var events: [String] = []
  private(set) var received: [String] = []
  private(set) var infos: [[String: String]?] = []

  init(_ name: String, service: String = "talk", context: Data? = nil) {
    let peer = MCPeerID(displayName: name)
    session = MCSession(peer: peer)
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: service)
    self.context = context
    super.init()
    session.delegate = self
    browser.delegate = self
    browser.startBrowsingForPeers()
  }

  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    events.append("found \(peerID.displayName)")
    infos.append(info)
    browser.invitePeer(peerID, to: session, withContext: context, timeout: 10)
  }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    events.append("lost \(peerID.displayName)")
  }
  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
    events.append("error \((error as NSError).code)")
  }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    events.append("\(peerID.displayName) \(state)")
  }
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    received.append(String(decoding: data, as: UTF8.self))
  }
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}
