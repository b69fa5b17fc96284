import BluetoothWire
import CaptureFormats
import SimKernel

/// Sees whose each record is, and which of them are whole messages.
final class PictureWatcher: TrafficObserver {
  /// A whole ATT PDU or frame, with when its first fragment was seen.
  struct Frame {
    var link: TrafficLink
    var fromCentral: Bool
    var sentAt: SimInstant
    var fragments: Int
  }

  private struct Assembly {
    var sentAt = SimInstant.zero
    var fragments = 0
  }

  private var assemblies = PerLink(PerSide(Assembly()))
  /// What the record that is being read shows.
  private(set) var link: TrafficLink?
  private(set) var fromCentral: Bool?
  private(set) var frames: [Frame] = []
  private(set) var news: [(link: TrafficLink, text: String)] = []

  let interests: TrafficEvent.Interests = [.links, .att, .frames, .fragments, .air]

  func begin() {
    link = nil
    fromCentral = nil
    frames.removeAll(keepingCapacity: true)
    news.removeAll(keepingCapacity: true)
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .air(let link?, let header, _):
      self.link = link
      fromCentral = header.isFromCentral ?? fromCentral
    case .linkOpened(let link):
      news.append(
        (link, link.isFromStart ? "connection \(link.index) opens" : "connection \(link.index) was up before"))
    case .linkClosed(let link, let reason):
      let why = reason.map { ", reason 0x" + String(hexadecimal: [$0.rawValue], uppercase: true) } ?? ""
      news.append((link, "connection \(link.index) closes\(why)"))
    case .linkChanged(let link, .encryption):
      news.append((link, "connection \(link.index) is \(link.isEncrypted ? "encrypted" : "not encrypted")"))
    case .frame(let link, let fromCentral, _, _): add(link, fromCentral, event.instant)
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) { add(pdu.link, pdu.fromCentral, pdu.instant) }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    link = pdu.link
    fromCentral = pdu.fromCentral
    let begins: Bool
    switch header {
    case .acl(let boundary, _): begins = boundary != 1
    case .linkLayer(_, isRepeat: true), .linkLayer(3, _): return
    case .linkLayer(let llid, _): begins = llid == 2
    }
    var assembly = assemblies[pdu.link][isCentral: pdu.fromCentral]
    if begins { assembly = Assembly(sentAt: pdu.instant, fragments: 0) }
    // An empty PDU carries nothing of a frame.
    if case .linkLayer = header, pdu.octets.count <= 2 { return }
    assembly.fragments += 1
    assemblies[pdu.link][isCentral: pdu.fromCentral] = assembly
  }

  private func add(_ link: TrafficLink, _ fromCentral: Bool, _ instant: SimInstant) {
    self.link = link
    self.fromCentral = fromCentral
    let assembly = assemblies[link][isCentral: fromCentral]
    let isKnown = assembly.fragments > 0 && assembly.sentAt <= instant
    frames.append(
      Frame(
        link: link, fromCentral: fromCentral, sentAt: isKnown ? assembly.sentAt : instant,
        fragments: max(1, assembly.fragments)))
  }
}
