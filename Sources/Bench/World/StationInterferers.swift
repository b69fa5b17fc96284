import VirtualNetwork
import VirtualRadio

/// Stations of the network as interferers of the radio: one for each device, and one for the access point, on each
/// channel of the 2.4 GHz band that they use (NET 9.4).
///
/// They come after the room's own, so that those keep their numbers and draws.
struct StationInterferers {
  private var first: Int
  private let channels: [Int]
  private let stations: Int
  private var added: [RadioEnvironment.Interferer] = []

  /// What a station of NET 1.5 has within 1 MHz: 15 dBm less 10 log 20 dB, hundredths of dBm.
  private static let power = 200

  init(_ scenario: Scenario) {
    first = scenario.radio.interferers.count
    let network = scenario.network
    channels = network.map { $0.room.channelsBelow3GHz } ?? []
    stations = scenario.devices.count
    for channel in channels {
      for (index, name) in (scenario.devices.map(\.name) + ["access point"]).enumerated() {
        var interferer = RadioEnvironment.Interferer(
          name: "Wi-Fi of \(name), channel \(channel)", position: network?.accessPoint ?? Position(x: 0, y: 0),
          spectrum: .wifi(channel), power: Self.power, activity: .external)
        if index < stations { interferer.carrier = index }
        added.append(interferer)
      }
    }
  }

  /// The room has another number of interferers of its own.
  mutating func follow(_ own: Int) { first = own }

  func added(to room: RadioEnvironment) -> RadioEnvironment {
    var room = room
    room.interferers += added
    return room
  }

  /// The number of a station's interferer; nil for a channel that none of them uses.
  func interferer(of station: Int, centreMHz: Int) -> Int? {
    guard let place = channels.firstIndex(where: { 2_407 + 5 * $0 == centreMHz }) else { return nil }
    let row = station == NetworkWorld.accessPointStation ? stations : station
    return first + place * (stations + 1) + row
  }
}

extension NetworkRoom {
  /// The numbers of the channels of the 2.4 GHz band that stations may use, ascending.
  fileprivate var channelsBelow3GHz: [Int] {
    guard case .shared = air else { return [] }
    let used = (accessPoint.map { [$0.channel] } ?? []) + peerToPeer.channels
    return Set(used.filter { $0.band == .twoPointFour }.map(\.number)).sorted()
  }
}
