/// What a session tells its app, on a queue of its own.
///
/// Source: Apple, `MCSessionDelegate`. Streams and resources are not modelled, so that their methods are never called.
public protocol MCSessionDelegate: AnyObject {
  /// A peer is connected, or no longer.
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)
  /// Data has come.
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)
  /// A peer has opened a stream.
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID)
  /// A resource begins to come.
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress)
  /// A resource has come.
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?)
  /// A peer has shown a certificate; optional for Apple.
  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void)
}

extension MCSessionDelegate {
  /// It is taken.
  public func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) {
    certificateHandler(true)
  }
}
