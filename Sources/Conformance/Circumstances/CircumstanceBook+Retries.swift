import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// What an app does after something failed, or while it waits: whether it tries again, what it was told meanwhile, and
/// on which link it goes on.
extension CircumstanceBook {
  // MARK: Failures on order

  private static let untried = " has not tried again"

  /// Says of a failure on order that who met it has not tried again, until it does; of an app that has tried again
  /// once, it is not said any more.
  mutating func awaitsRetry(
    of operation: FailingOperation, _ fault: FaultEvent, _ peer: Int?, at place: Int, _ record: TraceRecord
  ) {
    guard case .failure(_, _, let asker, _) = fault else { return }
    let owner = record.device
    guard let client = asker == .peers ? peer : owner, !kept[place].text.hasSuffix(Self.untried),
      !devices[client].retried.contains(operation)
    else { return }
    let server = asker == .peers ? owner : peer
    let octets = operation == .write ? server.flatMap { devices[client].lastWrite[$0] } : nil
    kept[place].text += "; \(name(client))\(Self.untried)"
    devices[client].untried.append((operation, octets, owner, place))
  }

  /// An app tries something, maybe again.
  mutating func tries(_ effect: AppEffect, _ record: TraceRecord) {
    let device = record.device
    let operation: FailingOperation
    var octets: [UInt8]?
    switch effect.plain {
    case .connect: operation = .connect
    case .discover, .gatt(.discoverServices): operation = .discovery
    case .subscribe(_, _, true): operation = .subscription
    case .read: operation = .read
    case .write(let link, _, let value):
      (operation, octets) = (.write, value)
      if let peer = devices[device].peer(of: link) { devices[device].lastWrite[peer] = value }
    default: return
    }
    let again = devices[device].untried.filter { $0.operation == operation && Self.resemble($0.octets, octets) }
    guard !again.isEmpty else { return }
    for entry in again {
      kept[entry.place].text = kept[entry.place].text.replacing("; \(name(device))\(Self.untried)", with: "")
    }
    devices[device].retried.insert(operation)
    devices[device].untried.removeAll { $0.operation == operation && Self.resemble($0.octets, octets) }
  }

  /// Whether a write may be another attempt: a counter or an identifier in it may be new.
  private static func resemble(_ failed: [UInt8]?, _ octets: [UInt8]?) -> Bool {
    guard let failed, let octets else { return failed == nil }
    guard failed.count == octets.count else { return false }
    return zip(failed, octets).count { $0 == $1 } * 2 >= failed.count
  }

  // MARK: Attempts to connect

  /// `; its attempt at 3.000 s failed (reason …)`; empty: none did.
  func attempt(of device: Int, _ peer: Int) -> String {
    devices[device].lastFailure[peer].map { "; its attempt at \($0.instant.milliseconds) s failed (\($0.words))" } ?? ""
  }

  /// An app that waits for a link is told of somebody else.
  mutating func isToldMeanwhile(of peer: Int, _ record: TraceRecord) {
    for place in open where isOpen(place, .connecting, record.device) && kept[place].peer != peer {
      let text = "; it was told of \(name(peer)) meanwhile"
      if !kept[place].text.contains(text) { kept[place].text += text }
    }
  }

  /// A link with somebody of another lobby, while there is none with its own.
  mutating func isElsewhere(_ link: LinkID, _ peer: Int?, _ record: TraceRecord) {
    let device = record.device
    guard let peer, header.devices[device].speaks(to: header.devices[peer]) else { return }
    let lobby = header.devices[device].lobby
    let own = header.devices.indices.filter {
      header.devices[device].speaks(to: header.devices[$0]) && header.devices[$0].lobby == lobby
    }
    if own.contains(peer) { return close(record) { $0.device == device && $0.kind == .otherLobby } }
    guard !lobby.isEmpty, !own.isEmpty,
      !devices[device].links.contains(where: { $0.peer.map(own.contains) ?? false })
    else { return }
    add(
      .otherLobby, peer: peer, link: link,
      "\(name(device)) has a link with \(name(peer)), which is of another lobby than \(name(device))", record)
  }

  /// Who waits for a link with a device learns that it is gone.
  mutating func isGone(_ record: TraceRecord) {
    for place in open where kept[place].kind == .connecting && kept[place].peer == record.device {
      kept[place].text += "; \(name(record.device)) is gone since \(record.instant.milliseconds) s"
    }
  }

  // MARK: Pauses

  /// An app that has other links has lost one as a central, and looks for nobody.
  mutating func lets(go peer: Int?, _ record: TraceRecord) {
    let device = record.device
    guard let peer, !devices[device].links.isEmpty, devices[device].search.scan == nil,
      devices[device].connects.isEmpty, devices[device].search.advertised == nil
    else { return }
    add(
      .idle, peer: peer, link: nil,
      "the app of \(name(device)) neither scans nor connects since its link with \(name(peer)) has ended"
        + earlierPauses(of: device), record)
  }

  /// An app that does nothing waits for a timer.
  mutating func waits(until instant: SimInstant, _ record: TraceRecord) {
    let mark = "; it has set a timer for "
    for place in open where isOpen(place, .idle, record.device) {
      let text = kept[place].text
      let end = text.firstRange(of: mark)?.lowerBound ?? text.endIndex
      kept[place].text = text[..<end] + "\(mark)\(instant.milliseconds) s"
    }
  }

  /// `; before, it was so for 1, 2, 4 s`: how long the pauses before were, where there were two and more.
  func earlierPauses(of device: Int) -> String {
    let pauses = kept.filter { $0.kind == .idle && $0.device == device }.compactMap { pause in
      pause.end.map { $0 - pause.begin }
    }.filter { $0 > .milliseconds(100) }
    guard pauses.count > 1 else { return "" }
    return "; before, it was so for \(pauses.suffix(6).map(\.shortSeconds).joined(separator: ", ")) s"
  }

  // MARK: Links that are mixed up

  /// What an app was told of one link is followed by a request on another one.
  mutating func crosses(to link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let told = devices[device].answeredOn else { return }
    devices[device].answeredOn = nil
    guard told != link else { return }
    for place in open where isOpen(place, .notSubscribed, device) && kept[place].link == told {
      let text = "; what it is told of link \(told.rawValue) is followed by requests on link \(link.rawValue)"
      if !kept[place].text.contains("; what it is told of link") { kept[place].text += text }
    }
  }
}

extension AppInput {
  /// The link of an answer to what an app has asked for as a central; nil: it is none.
  fileprivate var ownAnswerLink: LinkID? {
    switch self {
    case .attMTU(let link, _), .servicesDiscovered(let link, _, _), .subscribed(let link, _, _),
      .valueRead(let link, _, _), .writeCompleted(let link, _, _):
      link
    default: nil
    }
  }

  var answeredLink: LinkID? {
    if case .gatt(.services(let link, _, _)) = self { return link }
    return plain.ownAnswerLink
  }
}
