package import BluetoothWire
package import SimKernel

/// One connection between two devices, whichever captures show it: at the HCI of one end or of both, on the air.
package final class EndConnection {
  package internal(set) var index: Int
  /// At the HCI of the end that is the GATT server, of the client, and on the air.
  package private(set) var server: LinkTrack?
  private(set) var client: LinkTrack?
  private(set) var air: LinkTrack?
  /// What the ends are called: identity addresses and what was on the air; none when no capture shows one.
  private var serverAddresses: [BluetoothAddress] = []
  private var clientAddresses: [BluetoothAddress] = []

  init(index: Int, _ first: LinkTrack) {
    self.index = index
    add(first)
  }

  package var tracks: [LinkTrack] { [server, client, air].compactMap { $0 } }
  /// Whether a capture has its beginning.
  package var isFromStart: Bool { tracks.contains { $0.link.isFromStart } }
  package var openedAt: SimInstant { tracks.map(\.link.openedAt).min() ?? .zero }
  /// Nil while it is up at the end of all captures.
  package var closedAt: SimInstant? {
    tracks.contains { $0.closedAt == nil } ? nil : tracks.compactMap(\.closedAt).max()
  }

  /// When the air showed for the last time that both ends hear one another; nil: no capture of the air does.
  package var contactAt: SimInstant? { air?.contactAt }

  package func addresses(ofServer: Bool) -> [BluetoothAddress] { ofServer ? serverAddresses : clientAddresses }
  package func track(ofServer: Bool) -> LinkTrack? { ofServer ? server : client }

  func isUp(at instant: SimInstant) -> Bool { openedAt <= instant && (closedAt.map { instant < $0 } ?? true) }

  /// Another view of the same connection.
  private func add(_ track: LinkTrack) {
    if track.link.viewpoint == .air {
      air = air ?? track
    } else if track.isLocalServer {
      server = server ?? track
    } else {
      client = client ?? track
    }
    serverAddresses += track.addresses(ofServer: true).filter { !serverAddresses.contains($0) }
    clientAddresses += track.addresses(ofServer: false).filter { !clientAddresses.contains($0) }
  }

  func take(_ other: EndConnection) { for track in other.tracks { add(track) } }

  /// Whether there is no such view yet.
  func lacks(_ track: LinkTrack) -> Bool {
    if track.link.viewpoint == .air { return air == nil }
    let adapter = track.link.adapter
    if tracks.contains(where: { $0.link.adapter != nil && $0.link.adapter === adapter }) { return false }
    return track.isLocalServer ? server == nil : client == nil
  }
}
