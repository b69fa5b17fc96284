public import SimKernel

/// What an app asks of its device's network.
///
/// The words are those of listeners, browsers and connections in Apple's Network framework, so that a façade of that
/// shape can be laid on them. An app has at most one listener and one browser for each type of service.
public enum NetworkEffect: Hashable, Sendable {
  /// Answered by `listenerReady` or `listenerFailed`.
  indirect case listen(ListenRequest)
  /// Another TXT record for the listener of a type; one that is none (`ServiceRecord.isValid`) is ignored.
  case updateRecord(type: String, record: [UInt8])
  /// Ends the listener of a type, and says goodbye; connections go on.
  case stopListening(type: String)
  /// Looks for services of a type until `stopBrowsing`.
  case browse(type: String, peerToPeer: Bool)
  /// Everything that it found is forgotten.
  case stopBrowsing(type: String)
  /// Wi-Fi from peer to peer is to be awake for so long.
  case prime(SimDuration)
  /// Opens a connection under an even number that the app has not used.
  indirect case connect(ConnectionID, ConnectRequest)
  /// Octets of a stream, or one datagram; answered by `submitted`.
  case send(ConnectionID, octets: [UInt8])
  /// There is nothing more to send (FIN); what was taken still goes out, and what comes is still received.
  case finish(ConnectionID)
  /// Ends a connection or an attempt: by RST if anything is unread or unsent. The answer is `cancelled`, the last input
  /// about it.
  case cancel(ConnectionID)
  /// Whether the app takes what comes (it does from the start); one that does not fills its buffer.
  case read(ConnectionID, Bool)
}
