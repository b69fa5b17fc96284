package import AppSeam
import BluetoothWire
package import SimKernel

/// One encoded packet, shared by the queues of all links it goes to; it is cut once per ATT_MTU, not once per link.
package final class EncodedPacket {
  let type: PacketType
  let json: [UInt8]
  private var cutFor = 0
  private var fragments: [[UInt8]] = []

  package init(type: PacketType, json: [UInt8]) {
    self.type = type
    self.json = json
  }

  /// The values this packet becomes on a link with that ATT_MTU; empty when it takes more than a header can count.
  /// Their packetID is 0: the link's own is put in when they leave.
  func fragments(attMTU: Int, framing: Framing) -> [[UInt8]] {
    if cutFor != attMTU {
      cutFor = attMTU
      fragments = PacketCoder.cut(json, packetID: 0, attMTU: attMTU, framing: framing)
    }
    return fragments
  }
}

/// The outgoing queues of all links: in order, one value in flight per link, nothing lost when the platform refuses.
///
/// A value leaves the queue only when the platform has taken it: after `.submitted(accepted: true)` for
/// notifications and writes without response, after `.writeCompleted` for writes with response. Waiting for each
/// answer keeps the order even when a platform refuses one value and would take the next.
///
/// Spec: BAB 5.9.
package struct PacketSender {
  package enum Path {
    case notify
    case write
    case writeWithoutResponse
  }

  /// More packets than this on one link: the peer does not keep up, and the link is given up (BAB 8.9).
  static let queueLimit = 4_096
  /// ATT_MTU before any exchange (Core v5.4, Vol 3, Part G, 5.2.1).
  static let defaultATTMTU = 23

  private enum Waiting {
    /// Not yet subscribed: nothing may be sent.
    case opening
    case nothing
    case answer
    /// The platform refused; `readyToSend` will come.
    case room
    /// Between two values of a paced dialect.
    case pause
  }

  /// A class, so that the hot path changes its fields in place.
  private final class OutgoingLink {
    let id: LinkID
    var attMTU = PacketSender.defaultATTMTU
    var waiting = Waiting.opening
    var queue: [EncodedPacket] = []
    var head = 0
    /// The values of the packet at the head, once it has begun.
    var values: [[UInt8]] = []
    var next = 0
    /// The number of the packet that has begun, or begins next: each link counts its own (BAB 3.7).
    var packetID: UInt16
    var packetsSent = 0
    var hasBegun: Bool { !values.isEmpty }
    var isIdle: Bool { waiting == .opening || head == queue.count }

    init(id: LinkID, packetID: UInt16) {
      self.id = id
      self.packetID = packetID
    }

    func dropHead() {
      head += 1
      if head == queue.count {
        queue.removeAll(keepingCapacity: true)
        head = 0
      } else if head >= 64 {
        queue.removeFirst(head)
        head = 0
      }
    }

    /// Takes out waiting LOBBY_UPDATEs of which nothing has been sent.
    func dropStaleLobby() {
      var position = queue.count - 1
      let firstFree = head + (hasBegun ? 1 : 0)
      while position >= firstFree {
        if queue[position].type == .lobbyUpdate { queue.remove(at: position) }
        position -= 1
      }
    }
  }

  package var path: Path
  let characteristic: BluetoothUUID
  let framing: Framing
  let spacing: SimDuration
  private var links: [OutgoingLink] = []

  package init(path: Path, dialect: Dialect) {
    self.path = path
    self.characteristic = path == .notify ? dialect.state.uuid : dialect.command.uuid
    self.framing = dialect.framing
    self.spacing = dialect.fragmentSpacing
  }

  /// - Parameter firstPacketID: the number of the first packet on the link.
  package mutating func open(_ id: LinkID, firstPacketID: UInt16 = 0) {
    guard find(id) == nil else { return }
    links.append(OutgoingLink(id: id, packetID: firstPacketID))
  }

  /// Forgets a link and all that was queued for it.
  package mutating func close(_ id: LinkID) { links.removeAll { $0.id == id } }

  mutating func closeAll() { links.removeAll() }

  /// Nothing waits on any link that may be sent on.
  var isIdle: Bool { links.allSatisfy(\.isIdle) }

  /// The same of one link; a link that is not there has nothing to send.
  func isIdle(_ id: LinkID) -> Bool { find(id)?.isIdle ?? true }

  package func setATTMTU(_ attMTU: Int, _ id: LinkID) { find(id)?.attMTU = max(Self.defaultATTMTU, attMTU) }

  package func attMTU(_ id: LinkID) -> Int { find(id)?.attMTU ?? Self.defaultATTMTU }

  /// The link may be sent on from now on (subscribed, or a client that found its characteristic), or no longer.
  package func setReady(_ isReady: Bool, _ id: LinkID, _ effects: inout [AppEffect]) {
    guard let link = find(id) else { return }
    if isReady, link.waiting == .opening {
      link.waiting = .nothing
      pump(link, &effects)
    } else if !isReady {
      link.waiting = .opening
    }
  }

  /// Queues a packet; false when the link's queue is full and the link must be given up.
  ///
  /// A LOBBY_UPDATE that has not begun is replaced by a newer one: it carries the whole lobby (BAB 5.1.9).
  package func enqueue(_ packet: EncodedPacket, _ id: LinkID, _ effects: inout [AppEffect]) -> Bool {
    guard let link = find(id) else { return true }
    if packet.type == .lobbyUpdate { link.dropStaleLobby() }
    guard link.queue.count - link.head < Self.queueLimit else { return false }
    link.queue.append(packet)
    if link.waiting == .nothing { pump(link, &effects) }
    return true
  }

  /// The platform's answer to a notification or a write without response. Returns a pause that a paced dialect wants.
  package func submitted(_ id: LinkID, accepted: Bool, _ effects: inout [AppEffect]) -> SimDuration? {
    guard let link = find(id), link.waiting == .answer else { return nil }
    guard accepted else {
      link.waiting = .room
      return nil
    }
    return valueTaken(link, &effects)
  }

  /// The answer to a write with response. Returns a pause that a paced dialect wants.
  package func writeCompleted(_ id: LinkID, _ effects: inout [AppEffect]) -> SimDuration? {
    guard path == .write, let link = find(id), link.waiting == .answer else { return nil }
    return valueTaken(link, &effects)
  }

  package func readyToSend(_ id: LinkID, _ effects: inout [AppEffect]) {
    guard let link = find(id), link.waiting == .room else { return }
    link.waiting = .nothing
    pump(link, &effects)
  }

  package func pauseOver(_ id: LinkID, _ effects: inout [AppEffect]) {
    guard let link = find(id), link.waiting == .pause else { return }
    link.waiting = .nothing
    pump(link, &effects)
  }

  private func valueTaken(_ link: OutgoingLink, _ effects: inout [AppEffect]) -> SimDuration? {
    link.waiting = .nothing
    link.next += 1
    assert(link.next <= link.values.count, "no more values were taken than the packet has")
    if link.next == link.values.count {
      finishPacket(link, &effects)
    } else if spacing > .zero {
      link.waiting = .pause
      return spacing
    }
    pump(link, &effects)
    return nil
  }

  private func finishPacket(_ link: OutgoingLink, _ effects: inout [AppEffect]) {
    let type = link.queue[link.head].type.rawValue
    effects.append(
      .report(.packetSent(link.id, type: type, sequence: link.packetsSent, fragments: link.values.count)))
    link.packetsSent += 1
    link.packetID &+= 1
    link.values = []
    link.next = 0
    link.dropHead()
  }

  /// Hands the next value to the platform, if there is one and the link is free.
  private func pump(_ link: OutgoingLink, _ effects: inout [AppEffect]) {
    while link.waiting == .nothing, link.head < link.queue.count {
      guard link.hasBegun || begin(link, &effects) else { continue }
      link.waiting = .answer
      var octets = link.values[link.next]
      if framing != .raw { FragmentHeader.setPacketID(link.packetID, &octets) }
      switch path {
      case .notify: effects.append(.notify(link.id, characteristic: characteristic, octets: octets))
      case .write: effects.append(.write(link.id, characteristic: characteristic, octets: octets))
      case .writeWithoutResponse:
        effects.append(.writeWithoutResponse(link.id, characteristic: characteristic, octets: octets))
      }
    }
  }

  /// Cuts the packet at the head; false when it cannot be sent at all and is dropped.
  private func begin(_ link: OutgoingLink, _ effects: inout [AppEffect]) -> Bool {
    let packet = link.queue[link.head]
    link.values = packet.fragments(attMTU: link.attMTU, framing: framing)
    if link.hasBegun { return true }
    let reason = "\(packet.type.rawValue) of \(packet.json.count) octets takes more than 255 fragments"
    effects.append(.report(.refused(link.id, reason: reason)))
    link.dropHead()
    return false
  }

  private func find(_ id: LinkID) -> OutgoingLink? {
    for link in links where link.id == id { return link }
    return nil
  }
}
