import NetworkWire
import SimKernel

/// Counts what streams carried and which services were announced, for the tables of a report. At most
/// `TrafficLimits.links` streams are kept; further ones are counted.
final class NetworkSummary: TrafficObserver {
  @exclusivity(unchecked) private(set) var streams: [CheckReport.Stream] = []
  @exclusivity(unchecked) private(set) var furtherStreams = 0
  /// As they were last, in the order of their first announcements.
  @exclusivity(unchecked) private(set) var services: [CheckReport.Service] = []

  let interests: TrafficEvent.Interests = .network

  func observe(network event: TrafficNetworkEvent) {
    switch event.kind {
    case .streamOpened(let stream):
      guard streams.count < TrafficLimits.links else { return furtherStreams += 1 }
      assert(stream.index == streams.count)
      streams.append(
        CheckReport.Stream(
          index: stream.index, file: stream.file, interfaceName: stream.interfaceName,
          client: stream.client.description, server: stream.server.description, openedAt: stream.openedAt))
    case .octets(let stream, let side, _, let octets):
      change(stream) { summary in
        if side == .client { summary.clientOctets += octets.count } else { summary.serverOctets += octets.count }
      }
    case .gap(let stream, _, _, _, let why):
      change(stream) { summary in
        if let index = summary.gapKinds.firstIndex(where: { $0.kind == why }) {
          summary.gapKinds[index].count += 1
        } else {
          summary.gapKinds.append((why, event.place, 1))
        }
      }
    case .streamEnded(let stream, let ending):
      change(stream) { summary in
        summary.isFromStart = TrafficStream.Side.allCases.allSatisfy { stream.isFromStart($0) }
        summary.ending = ending.description
        if ending != .captureEnded { summary.endedAt = event.instant }
      }
    case .serviceAnnounced(let service): note(service, isThere: true)
    case .serviceWithdrawn(let service): note(service, isThere: false)
    case .packet, .acknowledged, .ahead, .finished: break
    }
  }

  private func change(_ stream: TrafficStream, _ body: (inout CheckReport.Stream) -> Void) {
    if stream.index < streams.count { body(&streams[stream.index]) }
  }

  private func note(_ service: TrafficService, isThere: Bool) {
    let row = CheckReport.Service(
      file: service.file, interfaceName: service.interfaceName, name: service.name.description,
      host: service.host.description, port: service.port, addresses: service.addresses.map(\.description),
      isThere: isThere)
    let place = services.firstIndex {
      $0.file == row.file && $0.interfaceName == row.interfaceName && $0.name == row.name
    }
    if let place { services[place] = row } else { services.append(row) }
  }
}
