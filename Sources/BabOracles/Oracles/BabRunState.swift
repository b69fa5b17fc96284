package import AppSeam
import BabSim
package import Bench
package import BluetoothWire
package import Conformance
import Judging
package import SimKernel

/// Who is who in a run of Bab, and what each app shows now.
package final class BabRunState: RunState {
  /// By dense device index.
  package let devices: [BabDevice]
  /// By dense device index: what each host of the bench tells.
  let stories: [HostStory?]
  /// By dense device index: what each app hands over.
  private var outboxes: [Outbox]
  /// By dense device index: what has come to each client on its newest link.
  private var hearings: [Hearing]
  /// What hosts are known to have told now that the newest record was taken in.
  private(set) var news: [HostStory.Told] = []
  /// The packet that an app has handed over with the newest record.
  private(set) var handed: HandedPacket?
  /// The newest record completes a packet at a host that may ignore what it wants.
  private(set) var isIgnorable = false
  /// The packet that a host has handed over with the newest record, and on which link.
  private(set) var said: (packet: BabPacket, link: LinkID)?
  /// What was left to be put in order at the end of the run.
  private(set) lazy var rest: [HostStory.Told] = stories.flatMap { $0?.drain(at: nil) ?? [] }

  init(header: TraceHeader) {
    devices = header.devices.enumerated().map { BabDevice(index: $0.offset, device: $0.element) }
    stories = devices.map { $0.role == .host && !$0.isForeign ? HostStory($0) : nil }
    hearings = devices.map { _ in Hearing() }
    outboxes = devices.map { _ in Outbox() }
    super.init(header: header, parties: devices)
  }

  package override func take(_ record: TraceRecord) {
    if !news.isEmpty { news = [] }
    said = nil
    handed = nil
    isIgnorable = false
    guard let device = device(of: record) else { return }
    switch record.event {
    case .input(let input):
      take(input, device, record)
      if let story = stories[device.index] { tell(input, to: story, record) }
    case .effect(.notify(let link, _, let octets)):
      handed = outboxes[device.index].take(octets, on: link)
      guard let story = stories[device.index], let handed, let packet = story.say(handed) else { return }
      said = (packet, link)
      news = story.tell(packet, in: handed, record: record.sequence, at: record.instant)
    case .effect(.write(let link, _, let octets)), .effect(.writeWithoutResponse(let link, _, let octets)):
      handed = outboxes[device.index].take(octets, on: link)
    case .effect(.disconnect(let link)): stories[device.index]?.ends(link, isOver: false)
    default: break
    }
  }

  private func tell(_ input: AppInput, to story: HostStory, _ record: TraceRecord) {
    switch input {
    case .launched, .radioPower(false): story.begin()
    case .valueReceived(let link, _, let octets):
      let packet = story.hear(octets, on: link, record: record.sequence, at: record.instant)
      isIgnorable = packet.map(story.mayIgnore) ?? false
    case .user(let action):
      if let action = action.bab { story.act(action, record: record.sequence, at: record.instant) }
    case .disconnected(let link, _): story.ends(link, isOver: true)
    default: break
    }
  }

  /// Nobody practises alone who has a link. A client is damaged by a packet that the radio held up for too long.
  private func take(_ input: AppInput, _ device: BabDevice, _ record: TraceRecord) {
    switch input {
    case .launched:
      outboxes[device.index].begin()
      hearings[device.index] = Hearing()
    case .radioPower(false): outboxes[device.index].begin()
    case .disconnected(let link, _): outboxes[device.index].end(link)
    case .connected:
      device.isSolo = false
      // One that does not say that it is connected again is, whoever left before.
      if !device.unsaid("linkState").isEmpty { device.hasEnded = false }
    case .valueReceived(let id, _, let octets):
      device.take(octets, on: id, at: record.instant)
      if device.role == .client { hear(octets, device, on: id) }
    case .user(let action):
      switch action.bab {
      case .startSolo: device.isSolo = !device.links.contains(where: \.isUp)
      case .startHosting:
        device.isSolo = false
        device.hasEnded = false
      case .endSolo: device.isSolo = false
      // A program need not say that its session is over when its person leaves it.
      case .leave:
        hearings[device.index].isOver = true
        if !device.unsaid("sessionEnded").isEmpty { device.hasEnded = true }
      default: break
      }
    default: break
    }
  }

  package override func kind(of report: AppReport) -> TraceKind {
    switch report.bab {
    case .identity: .identity
    case .phase, .linkState, .resumed, .sessionEnded: .session
    case .lobby, .roster: .roster
    case .turn: .turn
    case .screen: .screen
    case .committed, .historyReplaced: .history
    case .lineGenerated, .lineAccepted: .line
    case .score: .score
    case .leaderboard, .summary: .leaderboard
    case .vote, .voteResult: .vote
    case .vectorClock: .clock
    case .packetSent: .packetSent
    case .packetReceived: .packetReceived
    case .refused, .violation: .complaint
    case .role, .ready, .achievement, nil: .otherReport
    }
  }

  package override func makeLink(
    id: LinkID, owner: DeviceState, peer: DeviceState?, address: BluetoothAddress, openedAt: SimInstant
  ) -> LinkState {
    BabLink(
      id: id, holder: devices[owner.index], other: peer.map { devices[$0.index] }, address: address,
      openedAt: openedAt)
  }

  private struct Hearing {
    var link: LinkID?
    /// Nothing was told before it, in this session of the app.
    var isFirst = true
    /// The session is over: what is told next is of another one.
    var isOver = false
    var assembly = PacketAssembly()
    var mirror = TableMirror()
  }

  private func hear(_ octets: [UInt8], _ client: BabDevice, on link: LinkID) {
    let index = client.index
    if hearings[index].link != link {
      let before = hearings[index]
      hearings[index] = Hearing(link: link, isFirst: before.link == nil || before.isOver)
    }
    guard let text = hearings[index].assembly.take(octets), let host = host(of: client),
      let packet = outboxes[host.index].packet(of: text)
    else { return }
    hearings[index].mirror.apply(packet)
  }

  /// Whether a client has been told nothing on links before this one, in this session of its app.
  func isFirst(_ link: LinkID, of client: BabDevice) -> Bool {
    hearings[client.index].link == link && hearings[client.index].isFirst
  }

  /// What a client was told on its link; nil: nothing.
  func heard(_ client: BabDevice, on link: LinkID) -> TableMirror? {
    hearings[client.index].link == link ? hearings[client.index].mirror : nil
  }

  /// What a client was told on its present link; nil: nothing.
  func heard(_ client: BabDevice) -> TableMirror? { link(of: client).flatMap { heard(client, on: $0.id) } }

  /// Whether a lobby that was told to a client on a link lists it.
  func isToldItsSeat(_ client: BabDevice, on link: LinkID) -> Bool {
    client.peerID.map { heard(client, on: link)?.roster.contains($0) ?? false } ?? false
  }

  /// How many lines end a game, 0 for any number; nil where nothing says it.
  var agreedLines: Int? { header.options.first { $0.key == "game.lines" }.flatMap { Int($0.value) } }

  /// The device of a record, nil for the world itself.
  func device(of record: TraceRecord) -> BabDevice? {
    devices.indices.contains(record.device) ? devices[record.device] : nil
  }

  func device(address: BluetoothAddress) -> BabDevice? { header.device(at: address).map { devices[$0] } }

  /// The host a client is linked to now, nil for a host or a client without such a link.
  func host(of client: BabDevice) -> BabDevice? {
    guard client.role == .client else { return nil }
    return client.links.last { $0.isUp && $0.peer?.role == .host }?.other
  }

  /// The link of a client to its host, or else to one from outside.
  func link(of client: BabDevice) -> LinkState? {
    client.links.last { $0.isUp && $0.peer?.role == .host } ?? client.links.last { $0.isUp }
  }

  /// Whether both ends of a link between the two are up and neither end is under a fault.
  func areJoined(_ client: BabDevice, _ host: BabDevice) -> Bool {
    guard client.isReachable, host.isReachable, !client.hasEnded else { return false }
    return client.links.contains { link in
      link.isUp && link.peer === host && link.partner.map { $0.isUp } ?? false
    }
  }

  /// Whether the host shows the client in its lobby, and the two are joined by a link that nothing was done to.
  func isMember(_ client: BabDevice, of host: BabDevice) -> Bool {
    guard let lobby = host.lobby, let peerID = client.peerID, !client.isDamaged else { return false }
    return lobby.players.contains(peerID) && areJoined(client, host) && hasShownLobby(host, since: client)
  }

  /// Whether the lobby that a host shows is of the present link of a client. A host in captures shows what it said
  /// last: what it has not said since that link came up may be of the link before.
  private func hasShownLobby(_ host: BabDevice, since client: BabDevice) -> Bool {
    guard host.isCaptured else { return true }
    return client.links.last { $0.isUp && $0.peer === host }.map { $0.openedAt <= host.lobbyShownAt } ?? false
  }

  /// Whether the host that a client has, or had last, is external: what it shows is not known.
  func isLedFromOutside(_ client: BabDevice) -> Bool {
    client.role == .client && client.links.last?.leadsOutside ?? false
  }

  /// For findings about what an app shows: who told it, when that was not us.
  func hearsay(_ device: BabDevice) -> String {
    isLedFromOutside(device) ? ", as its \(Finding.hearsay)" : ""
  }

  /// Our clients, this one among them, that have a link to the same host from outside; empty when this one has
  /// none. That host shows us nothing, but what it must show to each of its clients is the same; a hostile one owes
  /// nothing.
  func siblings(of client: BabDevice) -> [BabDevice] {
    guard client.role == .client, let link = client.links.last, link.isUp, link.leadsOutside,
      !(link.peer?.isHostile ?? false)
    else { return [] }
    return devices.filter { other in
      guard other.role == .client, let theirs = other.links.last else { return false }
      return theirs.isUp && theirs.leadsOutside && theirs.peerAddress == link.peerAddress
    }
  }
}

/// What Bab's reports are about.
extension TraceKind {
  private static func report(_ number: UInt8) -> Self { Self(rawValue: firstOfApp + number) }

  package static var identity: Self { report(0) }
  /// Phase, link state, resumed, session ended.
  package static var session: Self { report(1) }
  /// The lobby or the roster that an app shows.
  package static var roster: Self { report(2) }
  package static var turn: Self { report(3) }
  package static var screen: Self { report(4) }
  /// Committed lines and replaced histories.
  package static var history: Self { report(5) }
  /// A line generated or accepted.
  package static var line: Self { report(6) }
  package static var score: Self { report(7) }
  package static var leaderboard: Self { report(8) }
  package static var vote: Self { report(9) }
  package static var clock: Self { report(10) }
  package static var packetSent: Self { report(11) }
  package static var packetReceived: Self { report(12) }
  /// Refused octets and broken rules.
  package static var complaint: Self { report(13) }
}
