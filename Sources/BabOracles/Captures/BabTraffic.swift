import AppSeam
import BabSim
import Bench
import BluetoothWire
package import CaptureCheck
import Conformance
package import SimKernel

/// Bab in captures: finds the links on which it is spoken, rebuilds values, packets and peers, and lets the oracles of
/// simulated runs judge them.
///
/// What captures do not show is not judged: see "On captures" in Docs/Oracles.md.
package final class BabTraffic: TrafficProtocol {
  package static let name = "bab"
  package static var dialects: [String] { Dialect.all.map(\.name) }

  private let session: TrafficSession
  private let dialects: BabDialects
  private let recorder: EndRecorder
  private var end: SimInstant?
  private var judgement: TrafficJudgement?

  package init(dialect: String?, session: TrafficSession) {
    self.session = session
    let dialects = BabDialects(given: dialect.flatMap(Dialect.named))
    self.dialects = dialects
    recorder = EndRecorder(taste: EndTaste(belongs: dialects.belongs, offers: dialects.offers))
  }

  package var interests: TrafficEvent.Interests { EndRecorder.interests }

  package func observe(_ event: TrafficEvent) { recorder.observe(event) }
  package func observe(event: TrafficHCIEvent) { recorder.observe(event: event) }
  package func observe(att pdu: TrafficPDU) { recorder.observe(att: pdu) }
  package func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) { recorder.observe(fragment: pdu, header) }

  package func finish(at end: SimInstant) { self.end = end }

  package static func makePrinter() -> any PacketPrinter { BabLayer() }

  package var results: TrafficJudgement {
    if let judgement { return judgement }
    let made = judge(at: end ?? .zero)
    judgement = made
    return made
  }

  private func judge(at end: SimInstant) -> TrafficJudgement {
    for entry in recorder.entries {
      if case .offered(let address, let adapter, let data) = entry.kind, let dialect = dialects.offered(data) {
        dialects.noteOffer(address, adapter, dialect)
      }
    }
    let pairing = EndPairing(recorder)
    let timeline = EndTimeline(recorder, pairing, end: end) { [dialects] track, value in
      let server = track.link.attributes(ofCentral: track.isServerCentral)
      return dialects.belongs(track.link, server, value) == .ours
    }
    let speech = BabSpeech(timeline, connections: pairing.connections.count)
    let devices = EndDevices(pairing.connections) { speech.sender($0.index, fromServer: $1) }
    let cast = BabCast(pairing.connections, devices, speech, dialects, captures: session.captures)
    let story = BabStory(timeline, pairing.connections, speech, cast, dialects, end: end)
    let reader = OracleReader()
    reader.begin(cast.header)
    for record in story.records.sorted { reader.read(record) }
    reader.end(
      RunOutcome(
        ending: .stopped, endInstant: end, digest: TraceDigest(), statistics: .init(), devices: []))
    let verdicts = BabVerdicts(story, pairing.connections, dialects, recorder, session)
    return TrafficJudgement(
      participants: cast.header.devices.map { device in
        TrafficParticipant(
          name: device.name, role: device.role.rawValue, dialect: device.dialect, address: device.address.description)
      },
      dialect: verdicts.dialect,
      oracles: (reader.judgement?.oracles ?? []).map(verdicts.weigh), notes: verdicts.notes)
  }
}
