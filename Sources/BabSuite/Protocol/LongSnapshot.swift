import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import SimKernel

/// A snapshot that a host owes a client and has not begun, where one with all lines needs more fragments than a packet
/// has on that link: it must go without its history then (BAB 5.7.5).
///
/// A host owes one to a player who comes back in a game, and to everybody when the game is over. What it would need is
/// known from the lines that the host has told, or from the snapshot that others got. A host that says of another
/// packet that it needs too many fragments is taken at its word.
struct LongSnapshot {
  /// What lasts for less may be about to end.
  private static let patience = SimDuration.seconds(1)

  private struct Link {
    var id: LinkID
    var device: Int
    var attMTU = 23
    var hasExchanged = false
    var incoming: Reassembler
    /// Since when a snapshot is owed on it.
    var owed: (instant: SimInstant, record: Int)?
  }

  private let host: HostView
  private let subject: Int
  private let end: SimInstant
  private var links: [Link] = []
  private var outbox = Outbox()
  private var isOn = false
  /// Lengths of DIALOG_LINE_ADDED.
  private var lines: [(id: String, octets: Int)] = []
  /// Octets of the newest snapshot of the end of the game.
  private var farewell: Int?
  /// What the host says of a packet that needs too many fragments.
  private var refused: (link: Link, reason: String, record: TraceRecord)?

  /// - Returns: nil where the device is neither a host nor a client of a known one.
  init?(_ situation: ChartWords.Situation) {
    guard let host = HostView(situation) else { return nil }
    (self.host, subject) = (host, situation.device)
    end = situation.records.last?.instant ?? .zero
    for record in situation.records where record.device == host.index {
      switch record.event {
      case .input(let input): read(input, record)
      case .effect(.notify(let link, _, let octets)): hands(octets, link)
      case .report(let report): read(report.bab, record)
      default: break
      }
    }
  }

  private func place(_ link: LinkID) -> Int? { links.lastIndex { $0.id == link } }

  private mutating func read(_ input: AppInput, _ record: TraceRecord) {
    switch input {
    case .launched, .radioPower(false):
      (links, refused) = ([], nil)
      outbox.begin()
    case .connected(let link, let address):
      guard let device = host.header.device(at: address) else { return }
      links.append(Link(id: link, device: device, incoming: Reassembler(framing: host.dialect.framing)))
    case .attMTU(let link, let attMTU):
      if let place = place(link) { (links[place].attMTU, links[place].hasExchanged) = (attMTU, true) }
    case .disconnected(let link, _):
      links.removeAll { $0.id == link }
      if refused?.link.id == link { refused = nil }
      outbox.end(link)
    case .valueReceived(let link, _, let octets):
      guard let place = place(link),
        let text = links[place].incoming.receive(octets, at: record.instant).packet,
        let packet = try? BabPacket(decoding: text), packet.payload.type == .clientJoin, isOn
      else { return }
      links[place].owed = (record.instant, record.sequence)
    default: break
    }
  }

  private mutating func read(_ report: BabReport?, _ record: TraceRecord) {
    if case .refused(let id, let reason)? = report, refused == nil, reason.contains("fragments"), let place = place(id)
    {
      refused = (links[place], reason, record)
    }
    guard case .phase(let phase)? = report else { return }
    if phase == "FINISHED" {
      for index in links.indices { links[index].owed = (record.instant, record.sequence) }
    }
    if phase == "ACTIVE", !isOn { (lines, farewell) = ([], nil) }
    isOn = phase == "ACTIVE" || phase == "VOTING"
  }

  private mutating func hands(_ octets: [UInt8], _ link: LinkID) {
    let handed = outbox.take(octets, on: link)
    guard let place = place(link) else { return }
    // A snapshot that has begun is not left out.
    if FragmentHeader(octets)?.index == 0,
      Self.snapshot.starts(with: octets.dropFirst(FragmentHeader.octets).prefix(16))
    {
      links[place].owed = nil
    }
    switch handed?.packet?.payload {
    case .dialogLineAdded(let line):
      if !lines.contains(where: { $0.id == line.id }) { lines.append((line.id, handed?.text.count ?? 0)) }
    case .fullStateSnapshot(let state):
      links[place].owed = nil
      if state.currentPhase == .finished { farewell = handed?.text.count }
    default: break
    }
  }

  /// The first octets of any snapshot.
  private static let snapshot = Array("{\"type\":\"\(PacketType.fullStateSnapshot.rawValue)".utf8)

  /// What a reader needs to know; nil: every snapshot that is owed has begun, or would fit.
  var hindrance: ChartWords.Hindrance? {
    for link in links where subject == host.index || subject == link.device {
      let most = Fragmenter.packetOctets(attMTU: link.attMTU)
      let needed = farewell ?? lines.reduce(0) { $0 + $1.octets }
      guard let owed = link.owed, needed > most, end - owed.instant >= Self.patience else { continue }
      let who = host.header.name(of: link.device)
      return ChartWords.Hindrance(
        "\(host.name) owes \(who) a FULL_STATE_SNAPSHOT and has not begun one: with its \(lines.count) lines it has"
          + " about \(needed) octets, and \(Fragmenter.fragmentLimit) fragments hold \(most) at ATT_MTU \(link.attMTU);"
          + " it is to be sent without its history then (BAB 5.7.5)",
        instant: owed.instant, record: owed.record, isMistake: true)
    }
    guard let refused, subject == host.index || subject == refused.link.device else { return nil }
    let most = Fragmenter.packetOctets(attMTU: refused.link.attMTU)
    return ChartWords.Hindrance(
      "\(host.name) does not send \(host.header.name(of: refused.link.device)) a packet:"
        + " “\(ShownText.oneLine(refused.reason))”; \(Fragmenter.fragmentLimit) fragments hold \(most) octets at"
        + " ATT_MTU \(refused.link.attMTU)" + (refused.link.hasExchanged ? "" : ", and nobody has asked for more"),
      instant: refused.record.instant, record: refused.record.sequence, isMistake: true)
  }
}
