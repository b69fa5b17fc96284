import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import SimKernel
import VirtualRadio

/// A packet whose arrival shows, in any fragments: CLIENT_JOIN for a host, which answers with the lobby, or HANDSHAKE
/// where the profile has no CLIENT_JOIN, and the lobby that it shows has a player more; for a client,
/// which shows it, a change that a host tells.
final class FragProbe {
  let bed: BabBed
  let tester: LowerTester
  /// The octets of the packet.
  private(set) var text: [UInt8] = []
  /// What is new in the packet of a host.
  private var change = ""
  /// When the implementation was told of the newest value.
  private(set) var newestArrival = SimInstant.zero
  /// The newest trace record when `begin` was called.
  private var mark = -1

  /// Brings the implementation to where the packet means something.
  /// - Parameter greets: a host is sent HANDSHAKE; else it is the procedure's.
  init(_ bed: BabBed, greets: Bool = true, attMTU: Int? = nil) throws {
    self.bed = bed
    if bed.iut.role == .host {
      let client = bed.clients[0]
      tester = client
      try bed.preamble {
        bed.iut.user(.startHosting)
        if let attMTU { client.wishedATTMTU = attMTU }
        try client.join(upTo: .subscribed)
        if greets { try self.greet() }
        if !bed.has(.clientJoin) {
          try bed.expect("the IUT shows its lobby") { bed.iut.lobby != nil }
          try bed.expect("it lists no client yet") { !isTaken }
        }
      }
    } else {
      tester = bed.hosts[0]
      try bed.preamble {
        try bed.hosts[0].seatIUT()
        try bed.expect("the IUT shows its seat") { bed.iut.lobby?.players.contains(bed.iut.peerID) ?? false }
      }
    }
    makeText()
    begin()
  }

  /// What the implementation shows now is what it must still show when it has not taken the packet.
  func begin() { mark = bed.newestRecord }

  /// It is a client's CLIENT_JOIN, and HANDSHAKE comes before it.
  var asksForSeat: Bool { bed.iut.role == .host && bed.has(.clientJoin) }

  /// Introduces a client, unless that is what its packet does.
  func greet() throws {
    guard asksForSeat else { return }
    (tester as? ClientTester)?.greet()
    try tester.expect(.handshake)
  }

  /// Another packet of the same kind.
  func makeText(padding: Int = 0) {
    if let client = tester as? ClientTester {
      let name = client.displayName + String(repeating: "x", count: padding)
      text =
        client.packet(
          asksForSeat
            ? .clientJoin(LobbyProfile(playerID: client.peerID, displayName: name))
            : .handshake(Participant(id: client.peerID, name: name))
        ).encoded()
    } else if let host = tester as? HostTester {
      text = host.packet(host.makeChange(padding: padding)).encoded()
      change = host.change
    }
  }

  /// Another packet of the same kind that nothing said meanwhile can overtake: its count is ahead (BAB 5.6.4).
  func makeTextAhead() {
    let clock = tester.clock
    for _ in 0..<100 { tester.clock.increment(tester.peerID) }
    makeText()
    tester.clock = clock
  }

  /// Whether the implementation has acted on the packet.
  var isTaken: Bool {
    if let client = tester as? ClientTester {
      // A host that says nothing of the seat may still show it.
      guard bed.has(.lobbyUpdate) else { return bed.iut.lobby?.players.contains(client.peerID) ?? false }
      return client.lobbyIDs.contains(client.peerID)
        || bed.iut.lobbyIfShown?.players.contains(client.peerID) ?? false
    }
    return (tester as? HostTester)?.isShown(change) ?? false
  }

  // MARK: Fragments

  /// A packetID for a packet, in turn.
  func takeID() -> UInt16 {
    guard let link = tester.link else { return 0 }
    defer { link.nextPacketID &+= 1 }
    return link.nextPacketID
  }

  /// The fragments of the packet, about equal.
  func cut(into count: Int, id: UInt16) -> [[UInt8]] { Self.cut(text, into: count, id: id) }

  static func cut(_ text: [UInt8], into count: Int, id: UInt16) -> [[UInt8]] {
    (0..<count).map { index in
      value(id, index, count, Array(text[text.count * index / count..<text.count * (index + 1) / count]))
    }
  }

  static func value(_ id: UInt16, _ index: Int, _ count: Int, _ body: [UInt8]) -> [UInt8] {
    [UInt8(id >> 8), UInt8(id & 0xFF), UInt8(index), UInt8(count)] + body
  }

  /// Sends values and waits until the implementation has been told of each.
  func deliver(_ values: [[UInt8]], _ note: String, within limit: SimDuration = .seconds(120)) throws {
    var cursor = bed.iut.inputs.count
    var arrived = 0
    tester.transmit(values: values, note: tester.name + " sends " + note)
    let isDone = try bed.wait(limit) {
      while cursor < bed.iut.inputs.count {
        if case .valueReceived = bed.iut.inputs[cursor].input {
          arrived += 1
          newestArrival = bed.iut.inputs[cursor].instant
        }
        cursor += 1
      }
      return arrived >= values.count || !tester.isConnected
    }
    guard tester.isConnected else {
      throw bed.failed("the IUT keeps the link", "it was ended", record: bed.newestRecord, clause: nil)
    }
    if !isDone { throw bed.inconclusive("\(tester.name) could not send \(note)") }
  }

  /// Lets time pass until so long after the newest value.
  func pause(untilAfterNewest duration: SimDuration) throws {
    bed.step("\(BabBed.text(duration)) pass after the newest value")
    if newestArrival + duration > bed.now { try bed.pause(newestArrival + duration - bed.now) }
  }

  // MARK: Judging

  private var name: String {
    if bed.iut.role == .host { return (asksForSeat ? PacketType.clientJoin : .handshake).rawValue }
    return (tester as? HostTester)?.changeType.rawValue ?? ""
  }

  func expectTaken(clause: String? = nil) throws {
    let text = "the IUT takes the \(name)"
    if try !bed.wait(.seconds(3), until: { isTaken }) {
      let clause = clause ?? bed.purpose.clauses[0]
      // Who takes it on a new link, where nothing was sent before, reads fragments.
      let isHeard = try bed.deafness == nil || takesItAnew()
      let cause = isHeard ? bed.absence ?? Cause("", clause: clause) : nil
      throw bed.failed(text, "it did not, after 3 s", record: bed.newestRecord, clause: clause, cause: cause)
    }
    bed.passed(text)
    begin()
  }

  /// Whether a host takes the packet on a new link, as the first that comes there.
  private func takesItAnew() throws -> Bool {
    guard let client = tester as? ClientTester else { return false }
    return try bed.preamble {
      client.disconnect()
      guard try bed.wait(.seconds(5), until: { !client.isConnected }) else { return false }
      client.begin(upTo: .subscribed)
      guard try bed.wait(.seconds(10), until: { client.stage >= .subscribed }) else { return false }
      makeText()
      tester.transmit(values: cut(into: 2, id: takeID()), note: tester.name + " sends a \(name) on a new link")
      return try bed.wait(.seconds(3)) { isTaken }
    }
  }

  func expectNotTaken(clause: String? = nil) throws {
    try bed.never("the IUT takes the \(name)", for: .seconds(1), clause: clause) { isTaken }
    try bed.showsNoChange(after: mark, clause: clause)
  }

  /// What has come since `begin` is not whole yet, and must show nowhere.
  func expectNothingShown() throws { try bed.showsNoChange(after: mark) }

  /// The packet was dropped: it is not taken, and the next one is.
  func expectDropped() throws {
    try expectNotTaken()
    try expectServesOn()
  }

  /// A packet that is sent as it should be must be taken, whatever came before.
  func expectServesOn() throws {
    if bed.iut.role == .client || !isTaken { makeText() }
    try deliver(cut(into: 3, id: takeID()), "a \(name) as it should be")
    try expectTaken()
  }

  /// What is done next must make the implementation report that it refused something.
  func expectRefusal(_ text: String, within limit: SimDuration = .seconds(1), after count: Int) throws {
    try bed.expect("the IUT reports \(text)", within: limit) { bed.iut.refusals.count > count }
    try bed.showsNoChange(after: mark)
  }
}

extension Stage {
  /// Short connection intervals, so that hundreds of values take less time than a link has to join (BAB 5.1.11).
  mutating func hurry() {
    for index in scenario.devices.indices {
      scenario.devices[index].phone.connection.initial.intervalMinimum = 6
      scenario.devices[index].phone.connection.initial.intervalMaximum = 6
      scenario.devices[index].phone.radio.prefers2M = true
    }
  }
}

/// Values that came, put together without any leniency.
struct SentPackets {
  struct Packet {
    var id: UInt16
    var count: Int
    var text: [UInt8]
  }

  private(set) var packets: [Packet] = []
  /// Why the values are no packets one after the other; nil when they are.
  private(set) var problem: String?

  /// - Parameter values: of one direction of one link, whole packets.
  init(_ values: [HeardValue]) {
    problem = read(values)
  }

  private mutating func read(_ values: [HeardValue]) -> String? {
    var rest = values.map(\.octets)[...]
    while let first = rest.first {
      guard let header = FragmentHeader(first) else { return "a value of \(first.count) octets has no header" }
      let count = Int(header.count)
      guard count > 0 else { return "a fragment of packet \(header.packetID) says count 0" }
      let mine = rest.prefix(count)
      guard mine.count == count else {
        return "packet \(header.packetID) has \(mine.count) of \(count) fragments"
      }
      var bodies = [[UInt8]?](repeating: nil, count: count)
      for value in mine {
        guard let own = FragmentHeader(value), own.packetID == header.packetID else {
          return "another packetID among the \(count) fragments of packet \(header.packetID)"
        }
        guard Int(own.count) == count else {
          return "packet \(header.packetID) says counts \(count), \(own.count)"
        }
        guard Int(own.index) < count, bodies[Int(own.index)] == nil else {
          return "index \(own.index) of \(count) in packet \(header.packetID), out of range or twice"
        }
        bodies[Int(own.index)] = Array(value[FragmentHeader.octets...])
      }
      packets.append(Packet(id: header.packetID, count: count, text: bodies.flatMap { $0 ?? [] }))
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// Why a text is not exactly one packet; nil when each is.
  var textProblem: String? {
    for packet in packets {
      guard packet.text.first == UInt8(ascii: "{"), packet.text.last == UInt8(ascii: "}") else {
        return "packet \(packet.id) has something beside its object"
      }
      if (try? BabPacket(decoding: packet.text)) == nil { return "packet \(packet.id) is no packet" }
    }
    return nil
  }

  /// Where the packetIDs are not consecutive; nil when they are.
  var gap: String? {
    for (packet, next) in zip(packets, packets.dropFirst()) where next.id != packet.id &+ 1 {
      return "\(next.id) follows \(packet.id)"
    }
    return nil
  }
}
