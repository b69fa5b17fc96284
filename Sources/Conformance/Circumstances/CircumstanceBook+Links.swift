import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// Links that apps end by themselves, that listen rarely, or that end early.
extension CircumstanceBook {
  /// An app ends a link by itself, and not because its person has just said so.
  mutating func endsLink(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let known = devices[device].link(link), let peer = known.peer else { return }
    // A person who leaves wants nothing more.
    guard devices[device].orderedAt != record.instant else { return devices[device].search.hasBegun = false }
    let count = devices[device].ended[peer, default: 0] + 1
    devices[device].ended[peer] = count
    let shown = devices[device].shown.flatMap { $0.instant == record.instant ? ", when it showed: \($0.report)" : nil }
    // What it was told before is no reason then.
    let words = devices[device].toldAt == record.instant ? nil : shown
    let before = devices[peer].endedAs[device].map { "; before, \($0)" } ?? ""
    devices[device].endedAs[peer] = shown.map {
      "the app of \(name(device)) has ended it at \(record.instant.milliseconds) s\($0)"
    }
    let timer = firedTimer(of: device).map { ", when \($0)" }
    let told = (known.told.map { ", after: \(EventWords.of($0))\(known.foundText)" } ?? "") + foundNothing(known)
    let cause = timer.map { (words ?? "") + $0 } ?? words ?? told
    let text =
      "the app of \(name(device)) has ended its link with \(name(peer)) by itself"
      + (count > 1 ? ", for the \(count). time" : "")
      + (devices[device].hiddenAt == record.instant ? ", when it went to the background" : cause) + before
    say(.leftLink, peer: peer, link: nil, text, record)
  }

  /// Why a discovery that was told last has found nothing.
  private func foundNothing(_ link: DeviceCircumstances.Link) -> String {
    guard case .servicesDiscovered(_, let service, let found)? = link.told, found.isEmpty else { return "" }
    return unpublished(service, link.peer)
  }

  /// A new link with a peer whose link the app has ended once or twice is a new try; then it is what the app does.
  mutating func leftAgain(_ input: AppInput, _ record: TraceRecord) {
    guard case .connected(_, let address) = input, let peer = index(of: address) else { return }
    let device = record.device
    for (own, other) in [(device, peer), (peer, device)] where devices[own].ended[other, default: 0] < 3 {
      close(record) { $0.device == own && $0.peer == other && $0.kind == .leftLink }
    }
  }

  /// A link that listens rarely, whoever has asked for it.
  mutating func slowLink(_ remark: PlatformRemark, _ record: TraceRecord) {
    guard let link = remark.link else { return }
    let device = record.device
    let peer = devices[device].peer(of: link)
    let isKnown = open.contains { place in
      [.slowInterval, .slowLink].contains(kept[place].kind)
        && (kept[place].device == device || kept[place].device == peer)
    }
    if isKnown { return }
    add(.slowLink, peer: peer, link: link, "the link of \(name(device))\(with(peer)): \(remark.text)", record)
  }

  /// Phones keep a link for two seconds and longer that is silent.
  private func shortTimeout(_ link: DeviceCircumstances.Link, _ device: Int) -> String? {
    guard let peer = link.peer, phones[peer].gone == nil, !phones[peer].isRadioOff,
      let timeout = air.timeouts[Ends(from: device, to: peer).pair], timeout < .seconds(2)
    else { return nil }
    return "its supervision timeout is \(timeout.shortSeconds) s"
  }

  mutating func timedOut(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let known = devices[device].link(link), let timeout = known.shortTimeout ?? shortTimeout(known, device) else {
      return
    }
    if open.contains(where: { isOpen($0, .shortTimeout, device) && kept[$0].peer == known.peer }) { return }
    add(
      .shortTimeout, peer: known.peer, link: nil,
      "the link of \(name(device))\(with(known.peer)) ended for want of packets: \(timeout)", record)
  }
}

extension DeviceCircumstances.Link {
  /// What a discovery has found, where that is what the app was told last.
  fileprivate var foundText: String {
    guard case .servicesDiscovered? = told, !found.isEmpty else { return "" }
    return " (" + found.prefix(6).map { "\($0.uuid): \($0.properties.words)" }.joined(separator: "; ") + ")"
  }
}
