import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// A host that does not answer a client's HANDSHAKE on the link that they have (BAB 5.1.6).
///
/// The values on the link say it, in the framing of the client's dialect. Where a value came that does not read as a
/// part of a packet, nobody knows what the host has said, and nothing is told.
struct UnansweredHandshake {
  private let name: String
  private var sent: Reassembler
  private var received: Reassembler
  private let framing: Framing
  /// The newest HANDSHAKE of the client; nil: none on this link.
  private var asked: (instant: SimInstant, record: Int)?
  private var isAnswered = false
  /// The only host that it can be of; nil: one of several.
  private let host: String?

  /// - Returns: nil where the device is no client, or has no link.
  init?(_ situation: ChartWords.Situation) {
    let devices = situation.header.devices
    guard devices.indices.contains(situation.device), devices[situation.device].role == .client,
      let dialect = Dialect.named(devices[situation.device].dialect)
    else { return nil }
    name = devices[situation.device].name
    let client = devices[situation.device]
    let hosts = devices.filter { $0.role == .host && $0.app == client.app && $0.lobby == client.lobby }
    host = hosts.count == 1 ? hosts[0].name : nil
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
          case .handshake? = (try? BabPacket(decoding: text))?.payload
        else { continue }
        asked = (record.instant, record.sequence)
        isAnswered = false
      default: break
      }
    }
    if !isLinked { return nil }
  }

  private mutating func beginLink() {
    (sent, received) = (Reassembler(framing: framing), Reassembler(framing: framing))
    (asked, isAnswered) = (nil, false)
  }

  private mutating func hear(_ octets: [UInt8], at instant: SimInstant) {
    let outcome = received.receive(octets, at: instant)
    guard let text = outcome.packet else {
      if !outcome.drops.isEmpty { isAnswered = true }
      return
    }
    guard let packet = try? BabPacket(decoding: text) else {
      isAnswered = true
      return
    }
    if case .handshake = packet.payload { isAnswered = true }
  }

  /// What a reader needs to know; nil: the client was answered, or has not asked.
  var hindrance: ChartWords.Hindrance? {
    guard let asked, !isAnswered else { return nil }
    return ChartWords.Hindrance(
      "\(host ?? "the host") has not answered the HANDSHAKE of \(name)", instant: asked.instant, record: asked.record)
  }
}
