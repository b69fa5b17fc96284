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
    /// The length of its text.
    let octets: Int
    let link: LinkID
    let record: Int
    let instant: SimInstant
    let before: TableBook
    let after: TableBook
    fileprivate let unsettled: Set<String>

    /// Whether a player may have lost its seat when this was decided, whatever roster was told last.
    func mayHaveLeft(_ player: String) -> Bool { unsettled.contains(player) }
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
    var incoming = Reassembler(framing: .framed)
    var player: String?
    var mirror = TableMirror()
    var hasJoined = false
    var isEnding = false
    /// The host's own count in the newest packet on it.
    var count: Int64 = 0
  }

  private struct Waiting {
    var count: Int64
    var packet: BabPacket
    var octets: Int
    var link: LinkID
    var record: Int
    var instant: SimInstant
  }

  private static let memory = 128
  private static let textBegins: [UInt8] = Array("{\"t".utf8)
  private static let waitingLimit = 64
  private static let patience = SimDuration.seconds(5)

  unowned let host: BabDevice
  private(set) var book = TableBook()
  private(set) var wishes: [Wish] = []
  /// Players whose link has ended, until a roster without them is told: what is told meanwhile may have been decided
  /// before or after it.
  private var unsettled: Set<String> = []
  private var sides: [Side] = []
  private var waiting: [Waiting] = []
  private var next: Int64?
  /// The packet that was said last was not said before.
  private var isNew = false
  /// What it was told or tells cannot be put in order: values without fragment headers, what the app before it knew, or
  /// a count that goes back.
  private(set) var isUnclear = false

  init(_ host: BabDevice) { self.host = host }

  var isWaiting: Bool { !waiting.isEmpty }

  /// A new run of the app, or the end of all its links.
  func begin() {
    (book, wishes, unsettled, sides, waiting, next) = (TableBook(), [], [], [], [], nil)
    isUnclear = host.isRestored
  }

  // MARK: What the host is told

  /// - Returns: the packet that a value completes.
  func hear(_ octets: [UInt8], on link: LinkID, record: Int, at now: SimInstant) -> BabPacket? {
    if octets.starts(with: Self.textBegins) { isUnclear = true }
    let index = side(link)
    guard let text = sides[index].incoming.receive(octets, at: now).packet, let packet = try? BabPacket(decoding: text)
    else { return nil }
    note(packet, index, record, now)
    return packet
  }

  private func note(_ packet: BabPacket, _ index: Int, _ record: Int, _ now: SimInstant) {
    let player = packet.senderID
    switch packet.payload {
    case .handshake: if sides[index].player == nil { sides[index].player = player }
    case .clientJoin: sides[index].hasJoined = true
    case .roleAssigned(_, let role): wish(player, "role \(role)", record, now)
    case .playerReady(_, let isReady): wish(player, isReady ? "ready" : "unready", record, now)
    case .generateRequest: wish(player, "generate", record, now)
    case .voteRequest(_, let action): wish(player, "vote \(action.rawValue)", record, now)
    case .voteCast(_, let isYes): wish(player, isYes ? "yes" : "no", record, now)
    case .lineCompleted(let line, _), .lineSkipped(let line): wish(player, "read \(line)", record, now)
    default: break
    }
  }

  /// Whether a host may ignore what somebody wants, as far as it has told how the game stands: what is not for this
  /// player, not for now, or was said before (BAB 5.3.3, 5.3.6, 5.4.9, 5.4.11, 5.5.1, 5.5.4).
  func mayIgnore(_ packet: BabPacket) -> Bool {
    if isUnclear || isWaiting { return true }
    let player = packet.senderID
    switch packet.payload {
    case .roleAssigned, .playerReady, .generateRequest, .voteRequest: return true
    case .lineCompleted(let line, _), .lineSkipped(let line):
      return !book.isTurnKnown || book.turn?.line != line || book.turn?.player != player
    case .voteCast: return book.vote.map { $0.isLost || $0.yes.contains(player) } ?? true
    default: return false
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

  func wish(_ player: String, _ word: String) -> Wish? { wishes.last { $0.player == player && $0.word == word } }

  /// What has opened a vote: its proposer says yes first (BAB 5.5.3).
  func proposal(of vote: TableBook.Vote) -> Wish? { wish(vote.yes[0], "vote \(vote.action.rawValue)") }

  /// Whether its player has read or skipped a line; of the host's own lines whether it has read any.
  func isRead(_ turn: TableBook.Turn) -> Bool {
    guard let id = turn.line else { return true }
    return wish(turn.player, "read \(id)") != nil || wish(turn.player, "read") != nil
  }

  // MARK: Links

  func ends(_ link: LinkID, isOver: Bool) {
    guard let index = sides.firstIndex(where: { $0.link == link }) else { return }
    sides[index].isEnding = true
    if let player = sides[index].player { unsettled.insert(player) }
    if isOver { sides.remove(at: index) }
    if !isHeard { lose() }
  }

  private var isHeard: Bool { sides.contains { $0.hasJoined && !$0.isEnding } }

  /// Nobody is left to be told anything.
  private func lose() {
    book.forget()
    (waiting, next, unsettled) = ([], nil, [])
  }

  private func side(_ link: LinkID) -> Int {
    if let index = sides.firstIndex(where: { $0.link == link }) { return index }
    sides.append(Side(link: link))
    return sides.count - 1
  }

  /// What was told on a link; nil: nothing, or it is not known.
  func mirror(_ link: LinkID) -> TableMirror? { isUnclear ? nil : sides.first { $0.link == link }?.mirror }

  /// The links on which somebody has a seat, as far as it was told so there.
  var seatedLinks: [(link: LinkID, player: String, mirror: TableMirror)] {
    sides.compactMap { side in
      guard !side.isEnding, let player = side.player, side.mirror.roster.contains(player) else { return nil }
      return (side.link, player, side.mirror)
    }
  }

  /// Whether what a player says is seen: in captures, only on the links that they show from their beginning, and as
  /// long as nothing of the host's is missing.
  func hears(_ player: String) -> Bool {
    !host.isCaptured || !host.isDamaged && sides.contains { $0.player == player && $0.hasJoined }
  }

  func player(_ link: LinkID) -> String? { sides.first { $0.link == link }?.player }

  // MARK: What the host tells

  /// What the host hands over. - Returns: the packet, where it can be put in order.
  func say(_ handed: HandedPacket) -> BabPacket? {
    let index = side(handed.link)
    guard !isUnclear else { return nil }
    guard let packet = handed.packet else {
      // What it meant to say is not known: the one that lacks may be this one.
      isUnclear = true
      return nil
    }
    // A host that counts backwards says nothing of its order.
    let count = packet.vectorClock[packet.senderID]
    if count < sides[index].count { isUnclear = true }
    sides[index].count = count
    sides[index].mirror.apply(packet)
    // Who is told its own seat on its own link has it.
    if let player = sides[index].player, packet.lists(player) { unsettled.remove(player) }
    isNew = handed.isNew
    return packet
  }

  /// What can be put in its place now that a packet was said.
  func tell(_ packet: BabPacket, in handed: HandedPacket, record: Int, at now: SimInstant) -> [Told] {
    guard isNew else { return [] }
    isNew = false
    let count = packet.vectorClock[packet.senderID]
    if let next, count < next - 1 { return [] }
    let item = Waiting(
      count: count, packet: packet, octets: handed.text.count, link: handed.link, record: record, instant: now)
    waiting.insert(item, at: waiting.firstIndex { $0.count > count } ?? waiting.count)
    return drain(at: now)
  }

  /// - Parameter now: nil: the run is over, and nothing more comes.
  func drain(at now: SimInstant?) -> [Told] {
    var told: [Told] = []
    while let first = waiting.first {
      if let next, first.count > next {
        let oldest = waiting.lazy.map(\.instant).min() ?? first.instant
        if let now, waiting.count <= Self.waitingLimit, now - oldest <= Self.patience { break }
        book.miss()
      }
      told.append(takeFirst())
    }
    return told
  }

  private func takeFirst() -> Told {
    let item = waiting.removeFirst()
    let (before, open) = (book, unsettled)
    book.apply(item.packet, octets: item.octets, record: item.record)
    if case .lobbyUpdate(let state) = item.packet.payload { unsettled.formIntersection(state.playerIDs) }
    next = max(next ?? 0, item.count + 1)
    return Told(
      story: self, packet: item.packet, octets: item.octets, link: item.link, record: item.record,
      instant: item.instant, before: before,
      after: book, unsettled: open)
  }
}
