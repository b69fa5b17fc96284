import AppSeam
import BluetoothWire
import CaptureCheck
import Judging
import SimKernel

/// A protocol file in captures: what is judged is what one value shows by itself, so that nothing which a capture lacks
/// can accuse anybody.
///
/// Judged are values of characteristics without framing: that each is a packet of who has sent it, and claims that say
/// what is never sent. All other claims need to know what came before, or what did not come: they are named as not
/// judged.
final class FileTraffic: TrafficJudge {
  private let form: ProtocolForm
  private let codec: PacketCodec
  private let only = OracleLedger(oracle: OnlyPackets.id, clause: "")
  private var claims: [(claim: ProtocolForm.Claim, event: EventForm, ledger: OracleLedger)] = []
  /// Indices of links with values of the file, in order of appearance, and their ends.
  private var links: [Int] = []
  private var participants: [TrafficParticipant] = []

  init(_ form: ProtocolForm, session: TrafficSession) {
    self.form = form
    codec = PacketCodec(form: form)
    for claim in form.claims {
      guard case .never(let event) = claim.kind, event.verb == .sends else { continue }
      claims.append((claim, event, OracleLedger(oracle: claim.id, clause: claim.clause)))
    }
  }

  let interests: TrafficEvent.Interests = [.att]

  func observe(_ event: TrafficEvent) {}
  func observe(event: TrafficHCIEvent) {}
  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {}
  func finish(at end: SimInstant) {}

  func observe(att pdu: TrafficPDU) {
    for value in TrafficValue.values(in: pdu.octets) ?? [] {
      let attributes = pdu.link.attributes(ofCentral: pdu.fromCentral == value.isFromServer)
      guard let uuid = attributes.characteristic(value: value.handle)?.uuid,
        let service = form.services.first(where: { $0.characteristics.contains { $0.uuid == uuid } })
      else { continue }
      let device = participant(pdu.link, service, isServer: value.isFromServer)
      guard form.characteristic(uuid)?.framing == FramingForm.none else { continue }
      judge(Array(value.octets), uuid, service, isFromServer: value.isFromServer, device, pdu.moment)
    }
  }

  private func judge(
    _ octets: [UInt8], _ uuid: BluetoothUUID, _ service: ProtocolForm.Service, isFromServer: Bool, _ device: Int,
    _ moment: TrafficMoment
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
      let event = FileEvent(verb: .sends, name: packet.name, device: device, values: packet.fields)
      for (claim, form, ledger) in claims where senders.contains(claim.role) && form.name == event.name {
        if event.fits(form) {
          ledger.fail(
            at: moment.instant, device: device, record: moment.place.number, expected: "no such packet",
            actual: event.text)
        } else {
          ledger.judged += 1
        }
      }
    } catch {
      only.fail(
        at: moment.instant, device: device, record: moment.place.number, expected: "a packet of \(form.title)",
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
    func result(_ id: String, _ claim: String, _ clause: String, _ ledger: OracleLedger) -> OracleResult {
      OracleResult(
        id: id, claim: claim, clause: clause,
        verdict: OracleResult.verdict(judged: ledger.judged, open: 0, findings: ledger.findings),
        judged: ledger.judged, open: 0, findings: ledger.findings, suppressedFindings: ledger.suppressedFindings)
    }
    let unjudged = form.claims.map(\.id).filter { id in !claims.contains { $0.claim.id == id } }
    let note = "not judged in captures: " + unjudged.joined(separator: ", ")
    return TrafficJudgement(
      participants: participants, dialect: participants.isEmpty ? nil : "plain",
      oracles: [result(OnlyPackets.id, OnlyPackets.claim, "", only)]
        + claims.map { result($0.claim.id, $0.claim.text, $0.claim.clause, $0.ledger) },
      notes: unjudged.isEmpty || participants.isEmpty ? [] : [TrafficNote(place: nil, text: note)])
  }
}
