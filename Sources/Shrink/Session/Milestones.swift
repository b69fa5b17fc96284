import AppSeam
import Bench
import SimKernel

/// How far the devices of a run came: what the apps of each role were told and showed, each kind once.
///
/// A session in which a player from outside did something wrong, and one in which it did nothing, may fail for the same
/// reason; how far the others came tells them apart.
final class Milestones: TraceReader {
  /// A role with a kind of event.
  typealias Milestone = UInt64

  private(set) var reached: Set<Milestone> = []
  private var roles: [UInt64] = []

  func begin(_ header: TraceHeader) {
    roles = header.devices.map { device in
      var digest = TraceDigest()
      digest.combine(text: device.role.rawValue)
      return digest.word
    }
  }

  func read(_ record: TraceRecord) {
    if case .platform = record.event { return }
    guard record.device >= 0, let kind = record.event.kindWord else { return }
    reached.insert(RandomStream.mix(kind ^ roles[record.device]))
  }
}
