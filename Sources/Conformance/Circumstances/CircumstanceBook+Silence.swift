import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// Apps that are told something and do nothing at that, and values for links of before.
extension CircumstanceBook {
  /// A packet may need several values.
  private static let leastOfValues = 4

  /// The app of a server is told something.
  mutating func listens(_ input: AppInput, _ record: TraceRecord) {
    let device = record.device
    devices[device].newest = input.plain
    guard case .valueReceived(let link, let type, _) = input.plain, !devices[device].hasReacted,
      let known = devices[device].link(link), !known.isCentral, let peer = known.peer
    else { return }
    devices[device].ignored += 1
    if !devices[device].ignoredTypes.contains(type) { devices[device].ignoredTypes.append(type) }
    guard devices[device].ignored >= Self.leastOfValues else { return }
    say(
      .valuesIgnored, peer: peer, link: nil,
      "the app of \(name(device)) was given \(devices[device].ignored) values of"
        + " \(Self.list(devices[device].ignoredTypes)), has shown and asked for nothing at any of them, and has sent"
        + " none", record)
  }

  /// An app asks for or shows something, or sends a value.
  mutating func reacts(_ record: TraceRecord) {
    let device = record.device
    var servesValues = false
    if case .effect(let effect) = record.event { servesValues = effect.plain.sentValue != nil }
    switch devices[device].newest {
    case .valueReceived: servesValues = true
    case .disconnected, .timer: close(record) { $0.device == device && $0.kind == .endIgnored }
    default: break
    }
    guard servesValues, !devices[device].hasReacted else { return }
    devices[device].hasReacted = true
    close(record) { $0.device == device && $0.kind == .valuesIgnored }
  }

  /// A central has subscribed to values of a server that has sent none on that link.
  mutating func awaitsValues(_ link: LinkID, _ record: TraceRecord) {
    guard let known = devices[record.device].link(link), !known.isCentral, known.servedAt == nil, known.peer != nil
    else { return }
    if let place = unserved(link, record) { return kept[place].text = unservedText(known, record.device) }
    add(.linkUnserved, peer: known.peer, link: link, unservedText(known, record.device), record)
  }

  /// A server that has sent nothing on a link is given a value there.
  mutating func hasGiven(_ type: BluetoothUUID, _ link: LinkID, _ record: TraceRecord) {
    guard let known = devices[record.device].link(link), !known.isCentral, known.servedAt == nil,
      !known.written.contains(type)
    else { return }
    devices[record.device].change(link) { $0.written.append(type) }
    if unserved(link, record) != nil { awaitsValues(link, record) }
  }

  private func unserved(_ link: LinkID, _ record: TraceRecord) -> Int? {
    open.first { isOpen($0, .linkUnserved, record.device) && kept[$0].link == link }
  }

  private func unservedText(_ link: DeviceCircumstances.Link, _ device: Int) -> String {
    let given = link.written.isEmpty ? "" : ", was given values of \(Self.list(link.written)) there"
    return "the app of \(name(device)) was told that \(link.peer.map(name) ?? "its peer") has subscribed to"
      + " \(Self.list(link.subscribed)) on link \(link.id.rawValue)\(given), and has sent nothing on it"
  }

  /// The app of a server is told that a link has ended, which it has not ended itself.
  mutating func isTold(ofEnd link: LinkID, _ reason: HCI.ErrorCode, _ record: TraceRecord) {
    let device = record.device
    guard let known = devices[device].link(link), !known.isCentral, let peer = known.peer,
      reason != .connectionTerminatedByLocalHost
    else { return }
    say(
      .endIgnored, peer: peer, link: nil,
      "the app of \(name(device)) was told: \(EventWords.of(.disconnected(link, reason: reason))), which was its link with"
        + " \(name(peer)), and has shown and asked for nothing at that", record)
  }

  /// A value is for a link that has ended, as its app was told, and there is another one with the same peer.
  mutating func isOfBefore(_ link: LinkID?, _ record: TraceRecord) {
    let device = record.device
    guard let link, let place = kept.indices.last, kept[place].record == record.sequence,
      let peer = spans.last(where: { $0.device == device && $0.link == link && $0.end != nil })?.peer,
      let now = devices[device].links.last(where: { $0.peer == peer })
    else { return }
    kept[place].peer = peer
    kept[place].text += "; its link with \(name(peer)) is \(now.id.rawValue)"
  }
}
