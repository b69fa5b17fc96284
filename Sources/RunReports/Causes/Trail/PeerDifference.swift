import AppSeam
import Bench
import BluetoothWire
import Conformance
import Judging
import SimKernel

/// What a device has done with all its peers but one.
struct PeerDifference {
  /// What an app may do on a link.
  private enum Deed: Hashable {
    case writes(BluetoothUUID), sends(BluetoothUUID), subscribes(BluetoothUUID), reads(BluetoothUUID)

    init?(_ effect: AppEffect) {
      switch effect.plain {
      case .write(_, let type, _), .writeWithoutResponse(_, let type, _): self = .writes(type)
      case .notify(_, let type, _): self = .sends(type)
      case .subscribe(_, let type, true): self = .subscribes(type)
      case .read(_, let type): self = .reads(type)
      default: return nil
      }
    }

    var isSending: Bool {
      switch self {
      case .writes, .sends: true
      case .subscribes, .reads: false
      }
    }

    var preposition: String {
      switch self {
      case .writes, .sends: "to"
      case .subscribes, .reads: "of"
      }
    }

    /// After `has`.
    var words: String {
      switch self {
      case .writes(let type): "written \(type) to"
      case .sends(let type): "sent \(type) to"
      case .subscribes(let type): "subscribed to \(type) of"
      case .reads(let type): "read \(type) of"
      }
    }
  }

  private struct Done {
    var device: Int
    var peer: Int
    var deed: Deed
    var instant: SimInstant
    var record: Int
  }

  private var done: [Done] = []
  private let trails: SaidTrails

  init(_ records: [TraceRecord], _ trails: SaidTrails) {
    self.trails = trails
    for record in records where trails.header.devices.indices.contains(record.device) {
      guard case .effect(let effect) = record.event, let link = effect.usedLink, let deed = Deed(effect),
        let peer = trails.links[record.device].last(where: { $0.id == link })?.peer
      else { continue }
      done.append(
        Done(device: record.device, peer: peer, deed: deed, instant: record.instant, record: record.sequence))
    }
  }

  /// What somebody who is blamed, or who misses something, was left out of; nil: nothing, or it is not the only one.
  func stop(for trouble: Trouble) -> SaidTrails.Stop? {
    for device in trails.header.devices.indices {
      let peers = Set(trails.links[device].filter { $0.isUp(at: trouble.instant) }.compactMap(\.peer))
      guard peers.count > 1 else { continue }
      for other in peers.sorted() {
        let concerns = trouble.devices.isEmpty || trouble.devices.contains(device) || trouble.devices.contains(other)
        if concerns, let stop = difference(device, other, peers, trouble.instant) { return stop }
      }
    }
    return nil
  }

  /// The first thing that was done on the links with all peers but this one, or before its link was up, which is so for
  /// a second and longer.
  private func difference(_ device: Int, _ other: Int, _ peers: Set<Int>, _ end: SimInstant) -> SaidTrails.Stop? {
    guard let link = trails.links[device].last(where: { $0.peer == other && $0.isUp(at: end) }),
      end - link.begin >= .seconds(1)
    else { return nil }
    let before = done.filter { $0.device == device && $0.instant <= end }
    let rest = peers.subtracting([other])
    var firsts: [Done] = []
    var doers: [Deed: Set<Int>] = [:]
    for one in before where peers.contains(one.peer) {
      if doers[one.deed] == nil { firsts.append(one) }
      doers[one.deed, default: []].insert(one.peer)
    }
    for first in firsts {
      guard let done = doers[first.deed], !done.contains(other) else { continue }
      let last = before.last { $0.deed == first.deed }?.instant ?? first.instant
      guard done == rest || link.begin > last, !first.deed.isSending || trails.hasSentForAll(device, to: done) else {
        continue
      }
      let names = done.sorted().map(trails.name).joined(separator: ", ")
      return trails.stop(
        device, first.instant,
        "\(trails.name(device)) has \(first.deed.words) \(names), and not \(first.deed.preposition)"
          + " \(trails.name(other)), with which it has link \(link.id.rawValue) since \(link.begin.milliseconds) s",
        record: first.record)
    }
    return nil
  }
}
