import AppSeam
import BeamScribe
import Bench
import BluetoothWire
package import CaptureCheck
import Conformance
import NetworkWire
package import SimKernel

/// BeamScribe in captures of networks: finds the streams on which it is spoken, puts both ends of each together, and
/// lets the oracles of simulated runs judge them.
///
/// What captures do not show is not judged: see "On captures" in Docs/Oracles-beamscribe.md.
package final class BeamTraffic: TrafficProtocol {
  package static let name = BeamApp.name
  package static let dialects = [DialectName.beamNetwork.rawValue, DialectName.beamMPC.rawValue]

  private let given: DialectName?
  private let recorder = StreamRecorder()
  private var finder: BeamFinder
  /// Streams that are up and none of BeamScribe's. Looked up only.
  private var foreign: Set<Int> = []
  private var end = SimInstant.zero
  private var judgement: TrafficJudgement?

  package init(dialect: String?, session: TrafficSession) {
    given = dialect.map { DialectName(rawValue: $0) }
    finder = BeamFinder(given: given)
  }

  package var interests: TrafficEvent.Interests { .network }

  package func observe(network event: TrafficNetworkEvent) {
    switch event.kind {
    case .octets(let stream, let side, let offset, let octets):
      if foreign.contains(stream.index) { return }
      if offset == 0, isForeign(stream, side, octets) {
        foreign.insert(stream.index)
        return recorder.forget(stream)
      }
    case .streamEnded(let stream, _): foreign.remove(stream.index)
    case .serviceAnnounced(let service), .serviceWithdrawn(let service): if !finder.note(service) { return }
    default: break
    }
    recorder.observe(network: event)
  }

  /// Whether the first octets of a side are none of BeamScribe's, on a port that nobody has announced: other streams
  /// are not kept.
  private func isForeign(
    _ stream: TrafficStream, _ side: TrafficStream.Side, _ octets: ArraySlice<UInt8>
  ) -> Bool {
    guard stream.isOpenerKnown, stream.isFromStart(side), let first = octets.first,
      finder.announced(stream.server) == nil
    else { return false }
    return side == .server ? first != 0 && Frame.Kind(rawValue: first) == nil : first != Frame.Kind.invitation.rawValue
  }

  package func finish(at end: SimInstant) {
    self.end = end
    recorder.finish(at: end)
  }

  package static func makePrinter() -> any PacketPrinter { BeamLayer() }

  package var results: TrafficJudgement {
    if let judgement { return judgement }
    let made = judge()
    judgement = made
    return made
  }

  private func judge() -> TrafficJudgement {
    let pairing = StreamPairing(recorder)
    let timeline = StreamTimeline(pairing)
    let connections = find(pairing, timeline)
    let cast = BeamCast(connections, recorder.services.map(\.service))
    let moments = BeamMoment.all(timeline, connections, cast, services: recorder.services)
    var state = BeamRunState(header: cast.header)
    let reader = OracleReader(of: BeamApp.name) { header in
      state = BeamRunState(header: header)
      return (state, BeamOracles.all.map { $0.init(state: state) })
    }
    reader.begin(cast.header)
    let story = BeamStory(moments, connections, cast, reader, state)
    reader.end(
      RunOutcome(ending: .stopped, endInstant: end, digest: TraceDigest(), statistics: .init(), devices: []))
    let verdicts = BeamVerdicts(story, isFull: recorder.isFull)
    return TrafficJudgement(
      participants: zip(cast.header.devices.indices, cast.header.devices).map { index, device in
        TrafficParticipant(
          name: device.name, role: device.role.rawValue, dialect: device.dialect, address: cast.address(index))
      },
      dialect: BeamVerdicts.dialect(of: connections, isGiven: given != nil),
      oracles: (reader.judgement?.oracles ?? []).map(verdicts.weigh),
      notes: BeamVerdicts.notes(story.wires, cast, isFull: recorder.isFull))
  }

  private func find(_ pairing: StreamPairing, _ timeline: StreamTimeline) -> [BeamConnection] {
    var starts = pairing.connections.map { _ in (client: StreamStart(), server: StreamStart()) }
    for event in timeline.events {
      switch event.kind {
      case .sent(.client, let offset, let octets): starts[event.connection].client.take(octets, at: offset)
      case .sent(.server, let offset, let octets): starts[event.connection].server.take(octets, at: offset)
      case .gap(.client, _, _, _): starts[event.connection].client.isOver = true
      case .gap(.server, _, _, _): starts[event.connection].server.isOver = true
      default: break
      }
    }
    return pairing.connections.compactMap { connection in
      finder.find(connection) { side in
        let start = side == .client ? starts[connection.index].client : starts[connection.index].server
        return (start.octets, start.isStart && connection.isFromStart(side))
      }
    }
  }

  /// What a side sent up to the first gap, as much of it as is needed to find a frame.
  private struct StreamStart {
    private(set) var octets: [UInt8] = []
    private(set) var isStart = false
    var isOver = false

    mutating func take(_ piece: [UInt8], at offset: Int) {
      if octets.isEmpty { isStart = offset == 0 }
      if !isOver, octets.count < FrameFinder.longest { octets += piece }
    }
  }
}
