import BluetoothWire
import SimKernel

/// One encoded packet, shared by the queues of all links it goes to; it is cut once per ATT_MTU, not once per link.
final class EncodedPacket {
  let type: PacketType
  let json: [UInt8]
  let packetID: UInt16
  private var cutFor = 0
  private var fragments: [[UInt8]] = []

  init(type: PacketType, json: [UInt8], packetID: UInt16) {
    self.type = type
    self.json = json
    self.packetID = packetID
  }

  /// The values this packet becomes on a link with that ATT_MTU; empty when it takes more than a header can count.
  func fragments(attMTU: Int, framing: Framing) -> [[UInt8]] {
    if cutFor != attMTU {
      cutFor = attMTU
      fragments = PacketCoder.cut(json, packetID: packetID, attMTU: attMTU, framing: framing)
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
/// Spec: BAB 5.10.
struct PacketSender {
  enum Path {
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

  private struct OutgoingLink {
    let id: LinkID
    var attMTU = PacketSender.defaultATTMTU
    var waiting = Waiting.opening
    var queue: [EncodedPacket] = []
    var head = 0
    /// The values of the packet at the head, once it has begun.
    var values: [[UInt8]] = []
    var next = 0
    var packetsSent = 0
    var hasBegun: Bool { !values.isEmpty }
  }

  var path: Path
  let characteristic: BluetoothUUID
  let framing: Framing
  let spacing: SimDuration
  private var links: [OutgoingLink] = []
  private var lastPacketID: UInt16 = 0xFFFF

  init(path: Path, dialect: Dialect) {
    self.path = path
    self.characteristic = path == .notify ? dialect.state.uuid : dialect.command.uuid
    self.framing = dialect.framing
    self.spacing = dialect.fragmentSpacing
  }

  mutating func nextPacketID() -> UInt16 {
    lastPacketID &+= 1
    return lastPacketID
  }

  mutating func open(_ link: LinkID) {
    guard index(of: link) == nil else { return }
    links.append(OutgoingLink(id: link))
  }

  /// Forgets a link and all that was queued for it.
  mutating func close(_ link: LinkID) { links.removeAll { $0.id == link } }

  mutating func closeAll() { links.removeAll() }

  mutating func setATTMTU(_ attMTU: Int, _ link: LinkID) {
    guard let index = index(of: link) else { return }
    links[index].attMTU = max(Self.defaultATTMTU, attMTU)
  }

  func attMTU(_ link: LinkID) -> Int { index(of: link).map { links[$0].attMTU } ?? Self.defaultATTMTU }

  /// Whether everything queued for the link has gone out.
  func isDrained(_ link: LinkID) -> Bool { index(of: link).map { links[$0].head == links[$0].queue.count } ?? true }

  /// The link may be sent on from now on (subscribed, or a client that found its characteristic), or no longer.
  mutating func setReady(_ isReady: Bool, _ link: LinkID, now: SimInstant, _ effects: inout [AppEffect]) {
    guard let index = index(of: link) else { return }
    if isReady, links[index].waiting == .opening {
      links[index].waiting = .nothing
      pump(index, &effects)
    } else if !isReady {
      links[index].waiting = .opening
    }
  }

  /// Queues a packet; false when the link's queue is full and the link must be given up.
  ///
  /// A LOBBY_UPDATE that has not begun is replaced by a newer one: it carries the whole lobby (BAB 5.1.9).
  mutating func enqueue(_ packet: EncodedPacket, _ link: LinkID, _ effects: inout [AppEffect]) -> Bool {
    guard let index = index(of: link) else { return true }
    if packet.type == .lobbyUpdate { dropStaleLobby(index) }
    guard links[index].queue.count - links[index].head < Self.queueLimit else { return false }
    links[index].queue.append(packet)
    if links[index].waiting == .nothing { pump(index, &effects) }
    return true
  }

  private mutating func dropStaleLobby(_ index: Int) {
    var position = links[index].queue.count - 1
    let firstFree = links[index].head + (links[index].hasBegun ? 1 : 0)
    while position >= firstFree {
      if links[index].queue[position].type == .lobbyUpdate { links[index].queue.remove(at: position) }
      position -= 1
    }
  }

  /// The platform's answer to a notification or a write without response. Returns a pause that a paced dialect wants.
  mutating func submitted(_ link: LinkID, accepted: Bool, _ effects: inout [AppEffect]) -> SimDuration? {
    guard let index = index(of: link), links[index].waiting == .answer else { return nil }
    guard accepted else {
      links[index].waiting = .room
      return nil
    }
    return valueTaken(index, &effects)
  }

  /// The answer to a write with response. Returns a pause that a paced dialect wants.
  mutating func writeCompleted(_ link: LinkID, _ effects: inout [AppEffect]) -> SimDuration? {
    guard path == .write, let index = index(of: link), links[index].waiting == .answer else { return nil }
    return valueTaken(index, &effects)
  }

  mutating func readyToSend(_ link: LinkID, _ effects: inout [AppEffect]) {
    guard let index = index(of: link), links[index].waiting == .room else { return }
    links[index].waiting = .nothing
    pump(index, &effects)
  }

  mutating func pauseOver(_ link: LinkID, _ effects: inout [AppEffect]) {
    guard let index = index(of: link), links[index].waiting == .pause else { return }
    links[index].waiting = .nothing
    pump(index, &effects)
  }

  private mutating func valueTaken(_ index: Int, _ effects: inout [AppEffect]) -> SimDuration? {
    links[index].waiting = .nothing
    links[index].next += 1
    if links[index].next == links[index].values.count {
      finishPacket(index, &effects)
    } else if spacing > .zero {
      links[index].waiting = .pause
      return spacing
    }
    pump(index, &effects)
    return nil
  }

  private mutating func finishPacket(_ index: Int, _ effects: inout [AppEffect]) {
    let packet = links[index].queue[links[index].head]
    effects.append(
      .report(
        .packetSent(
          links[index].id, type: packet.type.rawValue, sequence: links[index].packetsSent,
          fragments: links[index].values.count)))
    links[index].packetsSent += 1
    links[index].values = []
    links[index].next = 0
    dropHead(index)
  }

  private mutating func dropHead(_ index: Int) {
    links[index].head += 1
    if links[index].head == links[index].queue.count {
      links[index].queue.removeAll(keepingCapacity: true)
      links[index].head = 0
    } else if links[index].head >= 64 {
      links[index].queue.removeFirst(links[index].head)
      links[index].head = 0
    }
  }

  /// Hands the next value to the platform, if there is one and the link is free.
  private mutating func pump(_ index: Int, _ effects: inout [AppEffect]) {
    while links[index].waiting == .nothing, links[index].head < links[index].queue.count {
      if links[index].values.isEmpty {
        let packet = links[index].queue[links[index].head]
        links[index].values = packet.fragments(attMTU: links[index].attMTU, framing: framing)
        if links[index].values.isEmpty {
          let reason = "\(packet.type.rawValue) of \(packet.json.count) octets takes more than 255 fragments"
          effects.append(.report(.refused(links[index].id, reason: reason)))
          dropHead(index)
          continue
        }
      }
      links[index].waiting = .answer
      let octets = links[index].values[links[index].next]
      switch path {
      case .notify: effects.append(.notify(links[index].id, characteristic: characteristic, octets: octets))
      case .write: effects.append(.write(links[index].id, characteristic: characteristic, octets: octets))
      case .writeWithoutResponse:
        effects.append(.writeWithoutResponse(links[index].id, characteristic: characteristic, octets: octets))
      }
    }
  }

  private func index(of link: LinkID) -> Int? {
    for index in links.indices where links[index].id == link { return index }
    return nil
  }
}
