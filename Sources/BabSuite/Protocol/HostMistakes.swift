import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// What a host does wrong with its clients, as what it is told, asks for and shows says:
/// - it says nothing of a whole packet whose sender counts again what was taken on a link before (BAB 5.6.4), or is
///   called like a player who has a seat;
/// - it refuses a client that was in the game, because that calls itself otherwise now (BAB 5.2.10) or though it is to
///   be remembered (BAB 5.7.2), or does not advertise while it may come back (BAB 5.7.3);
/// - it advertises though its game is on and nobody may come back (BAB 5.2.9), or though its person has left;
/// - the turn is that of a player who is not in its roster (BAB 5.4.8).
struct HostMistakes {
  /// What lasts for less may be about to end.
  private static let patience = SimDuration.seconds(1)

  private struct Link {
    var id: LinkID
    var device: Int
    var assembler: Reassembler
    /// Who has sent HANDSHAKE, once that was taken.
    var player: String?
    /// The name in CLIENT_JOIN, once that was taken.
    var displayName: String?
    /// How its sender counts the newest packet that was taken.
    var count: Int64 = 0
  }

  private let host: HostView
  /// The host, or the client that is asked about.
  private let subject: Int
  private let end: SimInstant
  private var links: [Link] = []
  private var roster: [String] = []
  private var turn: String?
  private var phase = ""
  /// Devices by what they are called in packets.
  private var names: [String: String] = [:]
  /// What has just come whole, until the host says something of it.
  private var newest: (packet: BabPacket, link: LinkID, record: TraceRecord)?
  /// The newest packet of each player that was taken on a link that has ended.
  private var before: [(player: String, count: Int64, link: LinkID)] = []
  /// How the client that is asked about lost its seat in the game; nil: it has not, or is back.
  /// Where one end has ended the link, its person may want nothing more.
  private var loss: (player: String, link: LinkID, instant: SimInstant, isOrdered: Bool)?
  private var isLooking = false
  /// Since when the host does not advertise, and nobody of its roster has the turn; nil: it is otherwise.
  private var silence: (instant: SimInstant, record: Int)?
  private var nobodysTurn: (instant: SimInstant, record: Int)?
  /// Since when its game is on, and it advertises; and the newest loss of a player, who may come back.
  private var game: SimInstant?
  private var advertising: (instant: SimInstant, record: Int)?
  private var newestLoss: SimInstant?
  /// Since when it hosts no longer, and whether the client that is asked about has found it since.
  private var left: (instant: SimInstant, record: Int, isFoundAfter: Bool)?
  private var found: ChartWords.Hindrance?

  /// - Returns: nil where the device is neither a host nor a client of a known one.
  init?(_ situation: ChartWords.Situation) {
    guard let host = HostView(situation) else { return nil }
    (self.host, subject) = (host, situation.device)
    end = situation.records.last?.instant ?? .zero
    for record in situation.records where found == nil {
      if case .report(let report) = record.event, case .identity(_, let id, _)? = report.bab {
        names[id] = host.header.name(of: record.device)
      }
      if record.device == host.index { read(record) } else if record.device == subject { looks(record) }
    }
    if found == nil { passesOver() }
  }

  private mutating func read(_ record: TraceRecord) {
    switch record.event {
    case .input(let input):
      passesOver()
      read(input, record)
    case .effect(.advertise):
      silence = nil
      advertising = advertising ?? (record.instant, record.sequence)
    case .effect(.stopAdvertising):
      silence = (record.instant, record.sequence)
      advertising = nil
    case .effect(.disconnect(let link)):
      refuses(link, record)
      leave(link)
    case .report(let report): read(report.bab, record)
    default: break
    }
  }

  /// Who looks for its host wants to come back, however its link has ended.
  private mutating func looks(_ record: TraceRecord) {
    switch record.event {
    case .input(.discovered(let heard)):
      guard let left, advertising != nil, record.instant - left.instant >= Self.patience,
        host.header.device(at: heard.address) == host.index
      else { return }
      self.left?.isFoundAfter = true
    case .effect(.scan), .effect(.connect):
      isLooking = true
      loss?.isOrdered = false
    case .effect(.stopScanning), .input(.connected), .input(.user), .input(.launched): isLooking = false
    default: break
    }
  }

  private mutating func read(_ input: AppInput, _ record: TraceRecord) {
    switch input {
    case .launched:
      (links, before, loss, silence, roster, turn, phase) = ([], [], nil, nil, [], nil, "")
      (game, advertising, newestLoss, left) = (nil, nil, nil, nil)
    case .radioPower(let isOn): switchesRadio(isOn, record)
    case .user(let action):
      if [.leave, .startHosting, .endGame].contains(action.bab) { (links, loss) = ([], nil) }
      if action.bab == .leave { left = (record.instant, record.sequence, false) }
      if action.bab == .startHosting { left = nil }
    case .connected(let link, let address):
      guard let device = host.header.device(at: address) else { return }
      links.append(Link(id: link, device: device, assembler: Reassembler(framing: host.dialect.framing)))
    case .disconnected(let link, let reason):
      let known = links.first { $0.id == link && $0.device == subject }
      if let player = known?.player, isOn, roster.contains(player) {
        loss = (player, link, record.instant, reason != .connectionTimeout && !isLooking)
      }
      if isOn, let player = links.first(where: { $0.id == link })?.player, roster.contains(player) {
        newestLoss = record.instant
      }
      leave(link)
    case .valueReceived(let link, _, let octets):
      guard let place = place(of: link) else { return }
      let text = links[place].assembler.receive(octets, at: record.instant).packet
      newest = text.flatMap { try? BabPacket(decoding: $0) }.map { ($0, link, record) }
    default: break
    }
  }

  private mutating func read(_ report: BabReport?, _ record: TraceRecord) {
    switch report {
    case .packetReceived(let link, _, _, _): if newest?.link == link { isTaken() }
    case .refused(let link, _): if newest?.link == link { passesOver("refuses the") }
    case .violation(let link, _, _): if newest?.link == link { newest = nil }
    case .turn(let player): turn = player
    case .phase(let shown):
      phase = shown
      game = isOn ? game ?? record.instant : nil
    case .lobby(let lobby): seats(lobby.players)
    case .roster(let players): seats(players)
    default: return
    }
    guard phase == "ACTIVE" || phase == "VOTING", let turn, !roster.isEmpty, !roster.contains(turn) else {
      return nobodysTurn = nil
    }
    nobodysTurn = nobodysTurn ?? (record.instant, record.sequence)
  }

  /// All links are over with Bluetooth, and the game may go on after it.
  private mutating func switchesRadio(_ isOn: Bool, _ record: TraceRecord) {
    if isOn {
      silence = silence ?? (record.instant, record.sequence)
      return
    }
    for link in links where self.isOn && link.player.map(roster.contains) ?? false {
      newestLoss = record.instant
      if link.device == subject, let player = link.player { loss = (player, link.id, record.instant, false) }
    }
    (links, before, silence, advertising) = ([], [], nil, nil)
  }

  private mutating func seats(_ players: [String]) {
    roster = players
    // It may be back.
    if links.contains(where: { $0.player == loss?.player && players.contains($0.player ?? "") }) { loss = nil }
  }

  /// Whether the game has begun, so that only those get a seat who are remembered.
  private var isOn: Bool { ["ACTIVE", "VOTING", "FINISHED"].contains(phase) }
  private var memory: SimDuration { host.dialect.reconnectWindow + .seconds(15) }

  private func place(of link: LinkID) -> Int? { links.firstIndex { $0.id == link } }

  private mutating func leave(_ id: LinkID) {
    if newest?.link == id { newest = nil }
    guard let place = place(of: id) else { return }
    let link = links.remove(at: place)
    guard let player = link.player else { return }
    before.removeAll { $0.player == player }
    before.append((player, link.count, id))
  }

  // MARK: Packets

  private mutating func isTaken() {
    guard let (packet, link, _) = newest, let place = place(of: link) else { return }
    newest = nil
    let count = packet.vectorClock[packet.senderID]
    links[place].count = max(links[place].count, count)
    switch packet.payload {
    case .handshake: return links[place].player = packet.senderID
    case .clientJoin(let profile): links[place].displayName = profile.displayName
    default: break
    }
    // It takes what counts again: that is no reason.
    before.removeAll { $0.player == packet.senderID && $0.count >= count }
  }

  /// The host has refused a whole packet, or was told something else, or nothing more, without a word on it.
  private mutating func passesOver(_ words: String = "says nothing of the") {
    guard let (packet, id, record) = newest else { return }
    newest = nil
    guard let place = place(of: id), links[place].player == packet.senderID,
      [host.index, links[place].device].contains(subject)
    else { return }
    let (client, count) = (name(links[place].device), packet.vectorClock[packet.senderID])
    let type = packet.payload.type.rawValue
    let what = "\(host.name) \(words) \(type) of \(client) on link \(id.rawValue)"
    if let old = before.first(where: { $0.player == packet.senderID }), count > links[place].count, count <= old.count {
      find(
        "\(what): \(client) counts its packets from the beginning again, this is packet \(count), and packet"
          + " \(old.count) is the last that \(host.name) took of it on link \(old.link.rawValue) before; each link has"
          + " its own order (BAB 5.6.4)", record)
    } else if case .clientJoin(let profile) = packet.payload,
      let other = links.first(where: { $0.id != id && $0.displayName == profile.displayName })?.device
    {
      let shown = ShownText.oneLine(profile.displayName)
      find("\(what): \(client) and \(name(other)), which has its seat, are both called “\(shown)”", record)
    }
  }

  // MARK: The way back

  /// The host ends a link by itself.
  private mutating func refuses(_ link: LinkID, _ record: TraceRecord) {
    guard let known = links.first(where: { $0.id == link }), known.device == subject, let player = known.player, isOn,
      let loss, !roster.contains(player)
    else { return }
    if player != loss.player {
      find(
        "\(name(subject)) comes back as \(player) on link \(link.rawValue) of \(host.name), and had its seat as"
          + " \(loss.player) on link \(loss.link.rawValue): \(host.name) refuses who was not in the game (BAB 5.2.10)",
        record)
    } else if known.displayName != nil, record.instant - loss.instant < memory {
      find(
        "\(host.name) refuses \(name(subject)), which lost its link at \(text(loss.instant)) s and is to be remembered"
          + " for \(memory.shortSeconds) s (BAB 5.7.2)", record)
    }
  }

  private var isAwaited: ChartWords.Hindrance? {
    guard let loss, let silence, !loss.isOrdered, links.count < host.dialect.capacity - 1,
      !links.contains(where: { $0.device == subject })
    else { return nil }
    let begin = max(loss.instant, silence.instant)
    guard begin - loss.instant < memory, end - begin >= Self.patience else { return nil }
    return ChartWords.Hindrance(
      "\(host.name) does not advertise since \(text(silence.instant)) s, though \(name(subject)), which lost its link"
        + " at \(text(loss.instant)) s, is to be remembered and may come back for \(memory.shortSeconds) s (BAB 5.7.3)",
      instant: begin, record: silence.record, isMistake: true)
  }

  private var advertisesInVain: ChartWords.Hindrance? {
    guard let game, let advertising, newestLoss.map({ end - $0 > memory }) ?? true,
      host.index == subject || !links.contains(where: { $0.device == subject && $0.player != nil })
    else { return nil }
    let begin = max(game, advertising.instant)
    guard end - begin >= Self.patience else { return nil }
    return ChartWords.Hindrance(
      "\(host.name) advertises, though its game is on since \(text(game)) s and nobody may come back: who finds it gets"
        + " no seat (BAB 5.2.9)", instant: begin, record: advertising.record, isMistake: true)
  }

  private var advertisesAfterwards: ChartWords.Hindrance? {
    guard let left, left.isFoundAfter else { return nil }
    return ChartWords.Hindrance(
      "\(host.name) went on advertising, though its person has left at \(text(left.instant)) s: who finds it gets no seat",
      instant: left.instant, record: left.record, isMistake: true)
  }

  /// What a reader needs to know; nil: nothing shows a mistake.
  var hindrance: ChartWords.Hindrance? {
    if let known = found ?? isAwaited ?? advertisesInVain ?? advertisesAfterwards { return known }
    guard let nobodysTurn, let turn, end - nobodysTurn.instant >= Self.patience else { return nil }
    return ChartWords.Hindrance(
      "it is the turn of \(names[turn].map { "\($0) (\(turn))" } ?? turn), which is not in the roster of \(host.name)"
        + " any more, and \(host.name) passes the turn to nobody else (BAB 5.4.8)",
      instant: nobodysTurn.instant, record: nobodysTurn.record, isMistake: true)
  }

  private mutating func find(_ text: String, _ record: TraceRecord) {
    found = ChartWords.Hindrance(text, instant: record.instant, record: record.sequence, isMistake: true)
  }

  private func name(_ device: Int) -> String { host.header.name(of: device) }
  private func text(_ instant: SimInstant) -> String { String(instant.description.dropLast(6)) }
}
