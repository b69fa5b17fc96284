import AppSeam
import BabSim
import Conformance
import SimKernel

/// What a host tells its clients, in the order in which it decides, and what it was told before.
///
/// Each link lets packets out in its own time; the order of what a host decides is that of its own count, and a packet
/// to several links is one packet (BAB 5.6.1). A count of which no packet is seen was lost with its link, or is of a
/// lobby that a newer one has replaced (BAB 5.1.9): what it would have said is unknown from there on.
final class HostStory {
  /// One packet, where it was seen first.
  struct Told {
    unowned let story: HostStory
    let packet: BabPacket
    let link: LinkID
    let record: Int
    let instant: SimInstant
    let before: TableBook
    let after: TableBook
  }

  /// Something that somebody wants, where it came to the host's app.
  struct Wish {
    var player: String
    var word: String
    var record: Int
    var at: SimInstant
  }

  private struct Side {
    var link: LinkID
    var outgoing = PacketAssembly()
    var incoming = Reassembler(framing: .framed)
    var player: String?
    var mirror = TableMirror()
    /// The client has asked for its seat.
    var hasJoined = false
    var isEnding = false
    /// The host's own count in the newest packet on it.
    var count: Int64 = 0
  }

  private struct Waiting {
    var count: Int64
    var packet: BabPacket
    var link: LinkID
    var record: Int
    var instant: SimInstant
  }

  private static let memory = 128
  private static let textBegins: [UInt8] = Array("{\"t".utf8)
  /// Packets, and how long they wait for one that was decided before them.
  private static let waitingLimit = 64
  private static let patience = SimDuration.seconds(5)

  unowned let host: BabDevice
  private(set) var book = TableBook()
  private(set) var wishes: [Wish] = []
  /// By player: the newest record with which one of its links ended or began.
  private(set) var moves: [String: Int] = [:]
  private var sides: [Side] = []
  private var texts: [(hash: UInt64, packet: BabPacket)] = []
  private var waiting: [Waiting] = []
  private var next: Int64?
  /// What it was told or tells cannot be put in order: values without fragment headers, what the app before it knew, or
  /// a count that goes back.
  private var isUnclear = false

  init(_ host: BabDevice) { self.host = host }

  /// Something was told that cannot be put in its place yet.
  var isWaiting: Bool { !waiting.isEmpty }

  /// A new run of the app.
  func relaunch() {
    (book, wishes, moves, sides, texts, waiting, next) = (TableBook(), [], [:], [], [], [], nil)
    isUnclear = host.isRestored
  }

  // MARK: What the host is told

  func hear(_ octets: [UInt8], on link: LinkID, record: Int, at now: SimInstant) {
    if octets.starts(with: Self.textBegins) { isUnclear = true }
    let index = side(link)
    guard let text = sides[index].incoming.receive(octets, at: now).packet, let packet = try? BabPacket(decoding: text)
    else { return }
    let player = packet.senderID
    switch packet.payload {
    case .handshake: if sides[index].player == nil { sides[index].player = player }
    case .clientJoin:
      sides[index].hasJoined = true
      moves[player] = record
    case .roleAssigned(_, let role): wish(player, "role \(role)", record, now)
    case .playerReady(_, let isReady): wish(player, isReady ? "ready" : "unready", record, now)
    case .generateRequest: wish(player, "generate", record, now)
    case .voteRequest(_, let action): wish(player, "vote \(action.rawValue)", record, now)
    case .voteCast(_, let isYes): wish(player, isYes ? "yes" : "no", record, now)
    case .lineCompleted(let line, _), .lineSkipped(let line): wish(player, "read \(line)", record, now)
    default: break
    }
  }

  func act(_ action: BabAction, record: Int, at now: SimInstant) {
    let me = host.peerID ?? ""
    switch action {
    case .startHosting: lose()
    case .assignRole(let player, let role): wish(player, "role \(role)", record, now)
    case .requestRole(let role): wish(me, "role \(role)", record, now)
    case .setReady(let isReady): wish(me, isReady ? "ready" : "unready", record, now)
    case .generate: wish(me, "generate", record, now)
    case .proposeVote(let action): wish(me, "vote \(action)", record, now)
    case .castVote(let isYes): wish(me, isYes ? "yes" : "no", record, now)
    case .completeLine, .skipLine, .speak: wish(me, "read", record, now)
    case .endGame, .leave: wish(me, "end", record, now)
    default: break
    }
  }

  private func wish(_ player: String, _ word: String, _ record: Int, _ now: SimInstant) {
    wishes.removeAll { $0.player == player && $0.word == word }
    if wishes.count == Self.memory { wishes.removeFirst() }
    wishes.append(Wish(player: player, word: word, record: record, at: now))
  }

  /// The newest wish of a player.
  func wish(_ player: String, _ word: String) -> Wish? { wishes.last { $0.player == player && $0.word == word } }

  /// Whether its player has read or skipped a line; of the host's own lines whether it has read any.
  func isRead(_ turn: TableBook.Turn) -> Bool {
    guard let id = turn.line else { return true }
    return wish(turn.player, "read \(id)") != nil || wish(turn.player, "read") != nil
  }

  /// Whether a player's seat may have come or gone since a record, whatever was told of it.
  func hasMoved(_ player: String, since record: Int) -> Bool { moves[player].map { $0 > record } ?? false }

  // MARK: Links

  func ended(_ link: LinkID, record: Int) {
    guard let index = sides.firstIndex(where: { $0.link == link }) else { return }
    if let player = sides.remove(at: index).player { moves[player] = record }
    if !isHeard { lose() }
  }

  func ends(_ link: LinkID, record: Int) {
    guard let index = sides.firstIndex(where: { $0.link == link }) else { return }
    sides[index].isEnding = true
    if let player = sides[index].player { moves[player] = record }
    if !isHeard { lose() }
  }

  func endedAll(record: Int) {
    for player in sides.compactMap(\.player) { moves[player] = record }
    sides = []
    lose()
  }

  private var isHeard: Bool { sides.contains { $0.hasJoined && !$0.isEnding } }

  /// Nobody is left to be told anything.
  private func lose() {
    book.forget()
    (waiting, next) = ([], nil)
  }

  private func side(_ link: LinkID) -> Int {
    if let index = sides.firstIndex(where: { $0.link == link }) { return index }
    sides.append(Side(link: link))
    return sides.count - 1
  }

  /// What was told on a link; nil: nothing.
  func mirror(_ link: LinkID) -> TableMirror? { sides.first { $0.link == link }?.mirror }

  /// The links on which somebody has a seat, as far as it was told so there.
  var seatedLinks: [(link: LinkID, player: String, mirror: TableMirror)] {
    sides.compactMap { side in
      guard !side.isEnding, let player = side.player, side.mirror.roster.contains(player) else { return nil }
      return (side.link, player, side.mirror)
    }
  }

  /// Who has called itself so on a link.
  func player(_ link: LinkID) -> String? { sides.first { $0.link == link }?.player }

  // MARK: What the host tells

  /// A value that the host hands over. - Returns: the packet that it completes.
  func say(_ octets: [UInt8], on link: LinkID) -> BabPacket? {
    let index = side(link)
    guard !isUnclear, let text = sides[index].outgoing.take(octets) else { return nil }
    let hash = FNV1a.hash(text)
    let known = texts.last { $0.hash == hash }?.packet
    guard let packet = known ?? (try? BabPacket(decoding: text)) else { return nil }
    // A host that counts backwards says nothing of its order.
    let count = packet.vectorClock[packet.senderID]
    if count < sides[index].count { isUnclear = true }
    sides[index].count = count
    sides[index].mirror.apply(packet)
    isNew = known == nil
    if !isNew { return packet }
    if texts.count == Self.memory { texts.removeFirst(Self.memory / 2) }
    texts.append((hash, packet))
    return packet
  }

  /// The packet that was said last was not said before.
  private var isNew = false

  /// What can be put in its place now that a packet was said.
  func tell(_ packet: BabPacket, on link: LinkID, record: Int, at now: SimInstant) -> [Told] {
    guard isNew else { return [] }
    isNew = false
    let count = packet.vectorClock[packet.senderID]
    let new = Waiting(count: count, packet: packet, link: link, record: record, instant: now)
    if let next, count < next - 1 { return [] }
    let place = waiting.firstIndex { $0.count > count } ?? waiting.count
    waiting.insert(new, at: place)
    return drain(at: now)
  }

  private func drain(at now: SimInstant) -> [Told] {
    var told: [Told] = []
    while let first = waiting.first {
      if let next, first.count > next {
        let oldest = waiting.lazy.map(\.instant).min() ?? now
        guard waiting.count > Self.waitingLimit || now - oldest > Self.patience else { break }
        book.miss()
      }
      told.append(take(waiting.removeFirst()))
    }
    return told
  }

  /// What still waits, once the run is over.
  func rest() -> [Told] {
    var told: [Told] = []
    while let first = waiting.first {
      if let next, first.count > next { book.miss() }
      told.append(take(waiting.removeFirst()))
    }
    return told
  }

  private func take(_ item: Waiting) -> Told {
    let before = book
    book.apply(item.packet, record: item.record, at: item.instant)
    next = max(next ?? 0, item.count + 1)
    return Told(
      story: self, packet: item.packet, link: item.link, record: item.record, instant: item.instant, before: before,
      after: book)
  }
}
