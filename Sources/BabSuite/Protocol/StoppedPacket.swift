import AppSeam
import BabSim
import Bench
import Conformance
import Platform
import SimKernel

/// A packet of which an app has handed over a part, and no more, though its platform took that and waits for nothing.
///
/// The values that it hands over say it, with what its platform has told it of them. Who was refused a value, has a
/// write under way, is not run, or has no link any more is not told of.
struct StoppedPacket {
  /// What lasts for less may be about to end.
  private static let patience = SimDuration.seconds(2)

  /// What one end of a link sends.
  private struct Lane {
    var device: Int
    var link: LinkID
    var peer: Int
    var begun: Part?
    /// The platform owes it an answer, or has refused its newest value.
    var isWaiting = false
    var isCommand = false
  }

  private struct Part {
    var number: UInt16
    var done: Int
    var count: Int
    var instant: SimInstant
    var record: Int
  }

  private let header: TraceHeader
  private let subject: Int
  private let end: SimInstant
  private var lanes: [Lane] = []

  init(_ situation: ChartWords.Situation) {
    (header, subject) = (situation.header, situation.device)
    end = situation.records.last?.instant ?? .zero
    for record in situation.records where header.devices.indices.contains(record.device) {
      switch record.event {
      case .input(let input): read(input, record.device)
      case .effect(let effect): read(effect, record)
      case .fault(.kill), .fault(.reclaim), .fault(.vanish):
        lanes.removeAll { $0.device == record.device || $0.peer == record.device }
      default: break
      }
    }
  }

  private func lane(_ device: Int, _ link: LinkID) -> Int? {
    lanes.lastIndex { $0.device == device && $0.link == link }
  }

  private mutating func read(_ input: AppInput, _ device: Int) {
    switch input {
    case .connected(let link, let address):
      guard let peer = header.device(at: address), device == subject || peer == subject else { return }
      lanes.append(Lane(device: device, link: link, peer: peer))
    case .disconnected(let link, _): lanes.removeAll { $0.device == device && $0.link == link }
    case .launched, .radioPower(false), .background(isSuspended: true): lanes.removeAll { $0.device == device }
    case .submitted(let link, _, let accepted):
      if let place = lane(device, link) { lanes[place].isWaiting = !accepted }
    case .writeCompleted(let link, _, let error):
      if let place = lane(device, link) { lanes[place].isWaiting = error != nil }
    default: break
    }
  }

  private mutating func read(_ effect: AppEffect, _ record: TraceRecord) {
    guard let value = effect.sentValue, let place = lane(record.device, value.link) else { return }
    guard let header = FragmentHeader(value.octets), header.index < header.count else {
      return lanes[place].begun = nil
    }
    if case .writeWithoutResponse = effect { lanes[place].isCommand = true } else { lanes[place].isCommand = false }
    lanes[place].isWaiting = true
    let done = Int(header.index) + 1
    lanes[place].begun =
      done == Int(header.count)
      ? nil
      : Part(
        number: header.packetID, done: done, count: Int(header.count), instant: record.instant,
        record: record.sequence)
  }

  /// The first of them; nil: nobody has stopped.
  var hindrance: ChartWords.Hindrance? {
    let stopped = lanes.filter { lane in
      lane.begun.map { end - $0.instant >= Self.patience } ?? false && !lane.isWaiting
    }
    guard let first = stopped.min(by: { $0.begun!.instant < $1.begun!.instant }), let part = first.begun else {
      return nil
    }
    let answer = first.isCommand ? "; a write without response has no answer of the peer that it could wait for" : ""
    return ChartWords.Hindrance(
      "\(header.name(of: first.device)) has handed over \(part.done) of the \(part.count) fragments of packet"
        + " \(part.number) to \(header.name(of: first.peer)), which its platform took at once, and no other"
        + " since\(answer)",
      instant: part.instant, record: part.record, isMistake: true)
  }
}
