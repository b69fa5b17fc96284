import AppSeam
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel

/// The trails of everything that people said in a run, in the order in which they did.
struct SaidTrails {
  /// Texts that are followed, the first of a run.
  private static let limit = 64

  private(set) var all: [SaidTrail] = []
  /// Values that were offered for a peer, in their order.
  private(set) var offers: [Offer] = []
  /// When apps showed something.
  private(set) var reports: [(device: Int, instant: SimInstant)] = []
  /// Values that clients have read, in their order.
  private(set) var reads: [Read] = []
  /// Values that apps gave their platforms for later reads.
  private(set) var sets: [(device: Int, type: BluetoothUUID, instant: SimInstant)] = []
  /// Links that a device had, and has, with the instant at which each was up.
  private(set) var links: [[Link]]
  let header: TraceHeader
  private let packets: [Chart.Packet]
  private let answers: Set<String>
  let settings: Set<String>
  /// Texts that are followed though nobody has said them, from the first value or report with each on; nil: what people
  /// said is.
  private var names: [String]?

  /// A value that a client has read.
  struct Read {
    var by: Int
    var of: Int
    var type: BluetoothUUID
    var instant: SimInstant
    var count: Int
  }

  struct Offer {
    var from: Int
    var to: Int
    var instant: SimInstant
    var octets: [UInt8]
  }

  struct Link {
    var id: LinkID
    var peer: Int?
    var begin: SimInstant
    var end: SimInstant?
    /// What the central has subscribed to, as the server's app was told.
    var subscribed: [BluetoothUUID] = []
  }

  /// - Parameters:
  ///   - packets: that were exchanged, also those of several values, which no single value shows.
  ///   - words: which packets answer one peer, and what is told again with every change.
  ///   - names: are followed in place of what people said.
  init(
    _ records: [TraceRecord], _ header: TraceHeader, packets: [Chart.Packet], _ words: ChartWords,
    naming names: [String]? = nil
  ) {
    self.names = names
    (self.header, self.packets, answers, settings) = (header, packets, words.answers, words.settings)
    links = header.devices.map { _ in [] }
    for record in records where header.devices.indices.contains(record.device) { read(record) }
    for packet in packets { read(packet) }
  }

  /// Whether what a device sends with a text may be for all its peers: an answer is for one.
  func mayBeForAll(_ trail: SaidTrail, from device: Int) -> Bool {
    if answers.isEmpty { return true }
    let sent = packets.filter {
      $0.from == device && $0.sentAt >= trail.instant && trail.octets(from: 0, in: $0.octets) == trail.length
    }
    return sent.isEmpty || sent.contains { !answers.contains($0.label) }
  }

  /// Whether a device has sent one of these peers what may be for all.
  func hasSentForAll(_ device: Int, to peers: Set<Int>) -> Bool {
    answers.isEmpty
      || packets.contains { $0.from == device && peers.contains($0.to) && !answers.contains($0.label) }
  }

  private mutating func read(_ record: TraceRecord) {
    switch record.event {
    case .input(.user(let action)): if names == nil { said(action, record) }
    case .input(let input): read(input.plain, record)
    case .effect(let effect): read(effect, record)
    case .report(let report):
      reports.append((record.device, record.instant))
      note(record, \.allShown, Array("\(report)".utf8), peer: nil, link: nil)
    case .fault(.vanish), .fault(.kill), .fault(.radioOff): endAll(record)
    default: break
    }
  }

  private mutating func said(_ action: AppAction, _ record: TraceRecord) {
    let name = action.among(FreeAction.self)?.what ?? action.name
    // The name of a device is whom something is about, and no message.
    let names = header.devices.map { $0.name.lowercased() }
    for text in SaidTrail.texts(of: action) where all.count < Self.limit && !names.contains(text.lowercased()) {
      if let place = all.firstIndex(where: { $0.text == text }) {
        all[place].times += 1
        continue
      }
      all.append(
        SaidTrail(text, action: name, device: record.device, instant: record.instant, record: record.sequence))
    }
  }

  private mutating func read(_ input: AppInput, _ record: TraceRecord) {
    let device = record.device
    switch input {
    case .connected(let link, let address):
      links[device].append(Link(id: link, peer: header.device(at: address), begin: record.instant))
    case .disconnected(let link, _): change(link, of: device) { $0.end = record.instant }
    case .launched, .radioPower(false): endAll(record)
    case .subscribed(let link, let type, let isOn):
      change(link, of: device) { known in
        known.subscribed.removeAll { $0 == type }
        if isOn { known.subscribed.append(type) }
      }
    case .valueReceived(let link, _, let octets), .valueRead(let link, _, .some(let octets)):
      if case .valueRead(_, let type, _) = input, let peer = peer(of: link, device) {
        reads.append(Read(by: device, of: peer, type: type, instant: record.instant, count: octets.count))
      }
      note(record, \.allGiven, octets, peer: peer(of: link, device), link: link)
    default: break
    }
  }

  private mutating func read(_ effect: AppEffect, _ record: TraceRecord) {
    if case .gatt(.answer(_, let octets, error: nil)) = effect {
      return note(record, \.allSent, octets, peer: nil, link: nil)
    }
    if case .setValue(let type, _) = effect { sets.append((record.device, type, record.instant)) }
    guard let value = effect.plain.sentValue else { return }
    let peer = peer(of: value.link, record.device)
    if let peer {
      offers.append(Offer(from: record.device, to: peer, instant: record.instant, octets: value.octets))
    }
    note(record, \.allSent, value.octets, peer: peer, link: value.link)
  }

  /// A packet of several values.
  private mutating func read(_ packet: Chart.Packet) {
    guard packet.isPacket, packet.fragments > 1, let record = packet.records.first else { return }
    for place in all.indices where all[place].instant <= packet.sentAt {
      let octets = all[place].octets(from: 0, in: packet.octets)
      // One of its values may have it already.
      guard octets == all[place].length, !all[place].allSent.contains(where: { packet.records.contains($0.record) })
      else { continue }
      all[place].allSent.append(
        SaidTrail.Passage(
          device: packet.from, peer: packet.to, instant: packet.sentAt, record: record, octets: octets))
      guard let received = packet.receivedAt else { continue }
      all[place].allGiven.append(
        SaidTrail.Passage(
          device: packet.to, peer: packet.from, instant: received, record: packet.records.last ?? record,
          octets: octets))
    }
  }

  /// A name that is in a value or a report for the first time is from there on.
  private mutating func begin(_ record: TraceRecord, _ value: [UInt8]) {
    for name in names ?? [] {
      var trail = SaidTrail(name, action: "", device: record.device, instant: record.instant, record: record.sequence)
      trail.isName = true
      guard trail.octets(from: 0, in: value) == trail.length else { continue }
      names?.removeAll { $0 == name }
      all.append(trail)
    }
  }

  private mutating func note(
    _ record: TraceRecord, _ list: WritableKeyPath<SaidTrail, [SaidTrail.Passage]>, _ value: [UInt8], peer: Int?,
    link: LinkID?
  ) {
    begin(record, value)
    let whole = all.indices.filter { all[$0].octets(from: 0, in: value) == all[$0].length }
    for place in all.indices {
      // What is a part of a longer text that was said is not this one.
      if whole.contains(where: { $0 != place && all[$0].text.contains(all[place].text) }) { continue }
      let last = all[place][keyPath: list].lastIndex { $0.device == record.device && $0.peer == peer }
      if let last, case let octets = all[place][keyPath: list][last].octets, octets < all[place].length {
        let more = all[place].octets(from: octets, in: value)
        if more > 0 {
          all[place][keyPath: list][last].octets += more
          continue
        }
      }
      let octets = all[place].octets(from: 0, in: value)
      if octets == 0 { continue }
      all[place][keyPath: list].append(
        SaidTrail.Passage(
          device: record.device, peer: peer, link: link, instant: record.instant, record: record.sequence,
          octets: octets))
    }
  }

  private mutating func change(_ link: LinkID, of device: Int, _ body: (inout Link) -> Void) {
    if let place = links[device].lastIndex(where: { $0.id == link && $0.end == nil }) { body(&links[device][place]) }
  }

  private mutating func endAll(_ record: TraceRecord) {
    for place in links[record.device].indices where links[record.device][place].end == nil {
      links[record.device][place].end = record.instant
    }
  }

  private func peer(of link: LinkID, _ device: Int) -> Int? { links[device].last { $0.id == link }?.peer }
}
