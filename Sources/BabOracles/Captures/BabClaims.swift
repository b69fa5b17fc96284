import BabSim
import CaptureCheck

/// Packets that their senders have taken for sent, as far as what leaves an end shows it.
struct BabClaims {
  struct Claim {
    var type: String
    var fragments: Int
    /// Counts the claims on a link.
    var sequence: Int
  }

  private struct Direction {
    /// The packet whose fragments leave now: its id, how many it has, which of them have left.
    var open: (packetID: UInt16, count: Int, left: [UInt8])?
    /// A whole packet of so many fragments has left, and its last write is not answered yet.
    var unanswered: (type: String, fragments: Int)?
  }

  /// By connection.
  private var fromServer: [Direction]
  private var fromClient: [Direction]
  private var sequences: [Int]

  init(connections: Int) {
    fromServer = Array(repeating: Direction(), count: connections)
    fromClient = fromServer
    sequences = Array(repeating: 0, count: connections)
  }

  private mutating func claim(_ type: String, _ fragments: Int, _ connection: Int) -> Claim {
    defer { sequences[connection] += 1 }
    return Claim(type: type, fragments: fragments, sequence: sequences[connection])
  }

  private func direction(_ connection: Int, _ isFromServer: Bool) -> Direction {
    isFromServer ? fromServer[connection] : fromClient[connection]
  }

  private mutating func put(_ direction: Direction, _ connection: Int, _ isFromServer: Bool) {
    if isFromServer { fromServer[connection] = direction } else { fromClient[connection] = direction }
  }

  /// Who begins the next packet of a link has taken the one before for sent (BAB 5.9.1).
  mutating func begin(_ octets: [UInt8], _ connection: Int, isFromServer: Bool) -> Claim? {
    var direction = direction(connection, isFromServer)
    guard let open = direction.open, let header = FragmentHeader(octets), header.packetID != open.packetID else {
      return nil
    }
    direction.open = nil
    put(direction, connection, isFromServer)
    return claim("a packet", open.count, connection)
  }

  /// A value has left. - Parameter utterance: the packet that is whole with it.
  mutating func leave(
    _ octets: [UInt8], _ carrier: TrafficValue.Carrier, _ utterance: BabSpeech.Utterance?, _ connection: Int,
    isFromServer: Bool
  ) -> Claim? {
    guard let header = FragmentHeader(octets) else { return nil }
    var direction = direction(connection, isFromServer)
    var open = direction.open ?? (header.packetID, Int(header.count), [])
    if open.packetID != header.packetID { open = (header.packetID, Int(header.count), []) }
    if !open.left.contains(header.index) { open.left.append(header.index) }
    direction.open = open.left.count >= open.count ? nil : open
    let isWhole = direction.open == nil && utterance != nil
    let type = utterance?.packet?.payload.type.rawValue ?? "a packet"
    if isWhole, carrier == .writeRequest { direction.unanswered = (type, Int(header.count)) }
    put(direction, connection, isFromServer)
    return isWhole && carrier != .writeRequest ? claim(type, Int(header.count), connection) : nil
  }

  /// The client's oldest write is answered.
  mutating func answer(_ connection: Int, isSuccess: Bool) -> Claim? {
    guard let unanswered = fromClient[connection].unanswered else { return nil }
    fromClient[connection].unanswered = nil
    return isSuccess ? claim(unanswered.type, unanswered.fragments, connection) : nil
  }

  /// Something of a connection is missing: what is open there may have been finished.
  mutating func forget(_ connection: Int) {
    fromServer[connection].open = nil
    fromClient[connection].open = nil
  }
}
