import AppSeam
import BluetoothWire
import CaptureCheck
import Judging
import SimKernel

/// A protocol file in captures.
///
/// Judged is that each packet is one of who has sent it, and claims about packets on one link (`CapturedClaim`). Where
/// a framing puts packets together, and captures begin inside the link or lack something of it, what is right counts
/// and nothing is wrong: nobody knows where a packet began. Claims about screens, people or several devices are named
/// as not judged.
final class FileTraffic: TrafficJudge {
  private let form: ProtocolForm
  private let codec: PacketCodec
  private let only = OracleLedger(oracle: OnlyPackets.id, clause: "")
  private let claims: [CapturedClaim]
  /// Indices of links with values of the file, in order of appearance, and their ends.
  private var links: [Int] = []
  private var participants: [TrafficParticipant] = []
  private var assemblers: [Flow: FileAssembler] = [:]
  /// Links of which something is missing.
  private var broken: Set<Int> = []

  private struct Flow: Hashable {
    var link: Int
    var isFromServer: Bool
    var characteristic: BluetoothUUID
  }

  init(_ form: ProtocolForm, session: TrafficSession) {
    self.form = form
    codec = PacketCodec(form: form)
    claims = form.claims.compactMap { CapturedClaim($0) }
  }

  let interests: TrafficEvent.Interests = [.att, .gaps, .links]

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _):
      broken.insert(link.index)
      forget(link)
      for claim in claims { claim.gap(in: link) }
    case .linkClosed(let link, _):
      broken.remove(link.index)
      forget(link)
      for claim in claims { claim.close(link) }
    default: break
    }
  }

  private func forget(_ link: TrafficLink) {
    for flow in assemblers.keys where flow.link == link.index { assemblers[flow] = nil }
  }
  func finish(at end: SimInstant) { for claim in claims { claim.finish() } }

  func observe(att pdu: TrafficPDU) {
    for value in TrafficValue.values(in: pdu.octets) ?? [] {
      let attributes = pdu.link.attributes(ofCentral: pdu.fromCentral == value.isFromServer)
      guard let uuid = attributes.characteristic(value: value.handle)?.uuid,
        let service = form.services.first(where: { $0.characteristics.contains { $0.uuid == uuid } })
      else { continue }
      let device = participant(pdu.link, service, isServer: value.isFromServer)
      let framing = form.characteristic(uuid)?.framing ?? .none
      let isWhole = pdu.link.isFromStart && !broken.contains(pdu.link.index)
      for octets in packets(in: value, uuid, framing, pdu.link) {
        judge(
          octets, uuid, service, isFromServer: value.isFromServer, isWhole: isWhole,
          isSure: framing == .none || isWhole,
          device, pdu)
      }
    }
  }

  /// The packets that are whole with a value.
  private func packets(
    in value: TrafficValue, _ uuid: BluetoothUUID, _ framing: FramingForm, _ link: TrafficLink
  ) -> [[UInt8]] {
    if framing == .none { return [Array(value.octets)] }
    let flow = Flow(link: link.index, isFromServer: value.isFromServer, characteristic: uuid)
    return assemblers[flow, default: FileAssembler(framing)].receive(Array(value.octets)).compactMap { outcome in
      if case .packet(let octets, _) = outcome { octets } else { nil }
    }
  }

  private func judge(
    _ octets: [UInt8], _ uuid: BluetoothUUID, _ service: ProtocolForm.Service, isFromServer: Bool, isWhole: Bool,
    isSure: Bool, _ device: Int, _ pdu: TrafficPDU
  ) {
    let senders = form.roles.map(\.role).filter { ($0 == service.role) == isFromServer }
    let known = form.packets.filter { packet in
      packet.characteristic == uuid && packet.senders.contains(where: senders.contains)
    }
    // What a file says nothing of is not judged by it.
    if known.isEmpty { return }
    do throws(PacketRefusal) {
      let packet = try codec.decode(octets, on: uuid)
      only.judged += 1
      for claim in claims {
        let isSender = senders.contains(claim.claim.role)
        // The devices of a link are numbered one after the other.
        let event = FileEvent(
          verb: isSender ? .sends : .hears, name: packet.name, device: isSender ? device : device ^ 1,
          values: packet.fields)
        claim.take(event, pdu.link, pdu.moment, isWhole: isWhole, isSure: isSure)
      }
    } catch {
      guard isSure else { return }
      only.fail(
        at: pdu.moment.instant, device: device, record: pdu.moment.place.number, expected: "a packet of \(form.title)",
        actual: "what is none: \(error.reason)")
    }
  }

  private func participant(_ link: TrafficLink, _ service: ProtocolForm.Service, isServer: Bool) -> Int {
    if !links.contains(link.index) {
      links.append(link.index)
      let client = form.roles.map(\.role).first { $0 != service.role } ?? service.role
      for (role, word) in [(service.role, "server"), (client, "client")] {
        participants.append(
          TrafficParticipant(
            name: "\(role.rawValue) of link \(link.index)", role: role.rawValue, dialect: "", address: word))
      }
    }
    return 2 * (links.firstIndex(of: link.index) ?? 0) + (isServer ? 0 : 1)
  }

  var results: TrafficJudgement {
    let unjudged = form.claims.map(\.id).filter { id in !claims.contains { $0.claim.id == id } }
    let note = "not judged in captures: " + unjudged.joined(separator: ", ")
    return TrafficJudgement(
      participants: participants, dialect: participants.isEmpty ? nil : "plain",
      oracles: [OracleResult(only, id: OnlyPackets.id, claim: OnlyPackets.claim, clause: "")]
        + claims.map { OracleResult($0.ledger, id: $0.claim.id, claim: $0.claim.text, clause: $0.claim.clause) },
      notes: unjudged.isEmpty || participants.isEmpty ? [] : [TrafficNote(text: note)])
  }
}
