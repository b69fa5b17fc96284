import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// What fails though an app tries: links that do not come, requests that take their time one after the other, and what
/// its platform refuses.
extension CircumstanceBook {
  /// An attempt to connect has failed; the second one without a link between is told.
  mutating func failsToConnect(_ address: BluetoothAddress, _ reason: HCI.ErrorCode, _ record: TraceRecord) {
    let device = record.device
    guard let peer = index(of: address) else { return }
    endsForWantOfPackets(peer, reason, record)
    devices[device].lastFailure[peer] = (record.instant, EventWords.of(reason))
    if devices[device].failures.has(.connect) || reason == .connectionLimitExceeded { return }
    let count = devices[device].failed[peer, default: 0] + 1
    devices[device].failed[peer] = count
    guard count > 1 else { return }
    let gone = goneAddress(peer, address)
    let text =
      "\(CountedNoun.text(count, "attempt")) of \(name(device)) to connect to \(name(peer)) failed, the last one with"
      + " \(EventWords.of(reason))" + (gone.isEmpty ? "" : "; it asked for it" + gone)
    say(.connectFails, peer: peer, link: nil, text, record)
  }

  /// A request of the app has its answer; from the eighth of a row on, how long each takes is told.
  mutating func answered(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    devices[device].change(link) { $0.row.isAnswered(at: record.instant) }
    guard let known = devices[device].link(link), known.row.count >= RequestRow.least else { return }
    let text =
      "\(name(device)) makes its requests on link \(link.rawValue) one after the other: \(known.row.count) since"
      + " \(known.row.begin.milliseconds) s, \(known.row.mean.shortSeconds) s each"
    say(.requestsInARow, peer: known.peer, link: link, text, record)
    if let place = open.last(where: { isOpen($0, .requestsInARow, device) && kept[$0].link == link }) {
      rows.removeAll { $0.place == place }
      rows.append((place, record.instant))
    }
  }

  /// - Parameter what: after `refused `.
  mutating func platformRefuses(_ what: String, _ link: LinkID?, _ record: TraceRecord) {
    let device = record.device
    add(
      .platformRefused, peer: link.flatMap { devices[device].peer(of: $0) }, link: link,
      "the phone of \(name(device)) was refused \(what)", record)
  }
}
