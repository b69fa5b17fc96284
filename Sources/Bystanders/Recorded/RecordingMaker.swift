import AppSeam
import BluetoothWire
import CaptureCheck

/// Makes the recording of one server of what its capture shows.
enum RecordingMaker {
  static func recording(of server: RecordedServer, in traffic: RecordedTraffic) -> Recording {
    var recording = Recording(peer: server.name, address: server.address.flatMap { isKept($0) ? $0 : nil })
    var rhythm = RecordedRhythm()
    for (place, isCentral) in server.links {
      let kept = traffic.links[place]
      rhythm.follow(kept, isServerCentral: isCentral, kept.link.attributes(ofCentral: isCentral))
    }
    rhythm.settle()
    var follower = RecordingFollower(rhythm)
    var map = AttributeMap()
    for (place, isCentral) in server.links {
      let kept = traffic.links[place]
      map = kept.link.attributes(ofCentral: isCentral)
      recording.serverMTU = kept.link.serverRxMTU ?? recording.serverMTU
      recording.clientMTU = kept.link.clientRxMTU ?? recording.clientMTU
      follower.follow(kept, isServerCentral: isCentral, map)
    }
    follower.finish(&recording)
    let table = RecordedTable(map, follower)
    recording.services = table.services
    recording.notes = table.notes
    for visit in follower.visits { recording.visits.append(visit.placed(by: table)) }
    let advertising = server.isCaptured ? traffic.own : traffic.advertising(of: server.addresses)
    take(advertising ?? RecordedAdvertising(), follower.name(map), into: &recording)
    if server.links.isEmpty { recording.notes.append("the capture shows its advertising only, and no attribute") }
    return recording
  }

  private static func take(_ advertising: RecordedAdvertising, _ gapName: String?, into recording: inout Recording) {
    var advertising = advertising
    let omitted = advertising.fit()
    if omitted > 0 {
      recording.notes.append("\(omitted) octets of its advertising do not fit the packets of a phone and are left out")
    }
    recording.name = gapName ?? advertising.name
    if advertising.data == nil {
      let services = recording.services.map(\.uuid)
      let made = RecordedAdvertising.made(name: recording.name, services: services)
      recording.advertising = advertising.scanResponse == nil ? made : advertising
      recording.advertising.data = made.data
      recording.notes.append(
        "the capture shows no advertising of it; it advertises "
          + (recording.name.map { "“\($0)”" } ?? "no name") + " and the services of its table that fit")
    } else {
      recording.advertising = advertising
    }
  }

  /// Spec: Core v5.4, Vol 6, Part B, 1.3.2: public and static addresses stay, private ones change.
  private static func isKept(_ address: BluetoothAddress) -> Bool {
    address.bits != 0 && (address.kind == .publicDevice || address.bits >> 46 == 3)
  }
}
