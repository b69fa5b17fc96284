import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// A host that does not answer a client's HANDSHAKE or CLIENT_JOIN on the link that they have (BAB 5.1.6, 5.1.7).
///
/// The values on the link say it, in the framing of the client's dialect. Where a value came that does not read as a
/// part of a packet, nobody knows what the host has said, and nothing is told.
struct UnansweredPacket {
  private let name: String
  private var sent: Reassembler
  private var received: Reassembler
  private let framing: Framing
  /// What the client has sent on this link and has no answer to, oldest first.
  private var open: [(type: PacketType, instant: SimInstant, record: Int)] = []
  /// Something came that cannot be read: nobody knows what it answers.
  private var isUnknown = false
  /// The only host that it can be of; nil: one of several.
  private let host: HostView?
  /// What that host's app knows of the client's link.
  private var served = Served()

  private struct Served {
    var link: LinkID?
    /// What the client has subscribed to, as the host's app was told.
    var subscribed: [BluetoothUUID] = []
    var hasSent = false
  }

  /// - Returns: nil where the device is no client, or has no link.
  init?(_ situation: ChartWords.Situation) {
    let devices = situation.header.devices
    guard devices.indices.contains(situation.device), devices[situation.device].role == .client,
      let dialect = Dialect.named(devices[situation.device].dialect)
    else { return nil }
    let client = devices[situation.device]
    name = client.name
    host = HostView(situation)
    framing = dialect.framing
    (sent, received) = (Reassembler(framing: framing), Reassembler(framing: framing))
    var isLinked = false
    for record in situation.records where record.device == situation.device {
      switch record.event {
      case .input(.connected):
        isLinked = true
        beginLink()
      case .input(.disconnected), .input(.launched): isLinked = false
      case .input(.valueReceived(_, _, let octets)): hear(octets, at: record.instant)
      case .effect(let effect):
        guard let value = effect.sentValue, let text = sent.receive(value.octets, at: record.instant).packet,
          let type = (try? BabPacket(decoding: text))?.payload.type, type == .handshake || type == .clientJoin
        else { continue }
        open.removeAll { $0.type == type }
        open.append((type, record.instant, record.sequence))
      default: break
      }
    }
    if !isLinked { return nil }
    guard let host else { return }
    for record in situation.records where record.device == host.index { serve(record, client.address) }
  }

  private mutating func serve(_ record: TraceRecord, _ client: BluetoothAddress) {
    switch record.event {
    case .input(.connected(let link, client)): served = Served(link: link)
    case .input(.subscribed(served.link, let type, true)): served.subscribed.append(type)
    case .effect(let effect): if let link = effect.sentValue?.link, link == served.link { served.hasSent = true }
    default: break
    }
  }

  private mutating func beginLink() {
    (sent, received) = (Reassembler(framing: framing), Reassembler(framing: framing))
    (open, isUnknown) = ([], false)
  }

  private mutating func hear(_ octets: [UInt8], at instant: SimInstant) {
    let outcome = received.receive(octets, at: instant)
    guard let text = outcome.packet else {
      if !outcome.drops.isEmpty { isUnknown = true }
      return
    }
    guard let type = (try? BabPacket(decoding: text))?.payload.type else {
      isUnknown = true
      return
    }
    switch type {
    case .handshake: open.removeAll { $0.type == .handshake }
    case .heartbeat: break
    // Whatever else a host sends, it sends to who is in.
    default: open.removeAll()
    }
  }

  /// What has no answer; nil: nothing.
  var type: PacketType? { isUnknown ? nil : open.first?.type }

  /// What a reader needs to know; nil: the client was answered, or has not asked.
  var hindrance: ChartWords.Hindrance? {
    guard let asked = open.first, !isUnknown else { return nil }
    let types = served.subscribed.map(\.description).joined(separator: ", ")
    let silence =
      types.isEmpty || served.hasSent
      ? "" : "; its app was told that \(name) has subscribed to \(types), and has sent nothing on their link"
    return ChartWords.Hindrance(
      "\(host?.name ?? "the host") has not answered the \(asked.type.rawValue) of \(name)\(silence)",
      instant: asked.instant, record: asked.record)
  }
}
