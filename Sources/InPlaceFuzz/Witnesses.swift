import AppSeam
import Bench
import BluetoothWire
package import Conformance
import Platform
import SimKernel

/// A judge to whom one device is somebody from outside: nothing is claimed of a hostile device, and what it did before
/// the state is no measure for the others.
package final class OutsiderJudge: TraceReader {
  private let judge: any RunJudge
  private let device: Int

  package init(_ judge: any RunJudge, device: Int) {
    self.judge = judge
    self.device = device
  }

  var wantsAir: Bool { judge.wantsAir }
  var wantsHCI: Bool { judge.wantsHCI }

  func begin(_ header: TraceHeader) {
    var header = header
    header.devices[device].engine = TraceHeader.foreignEngine
    judge.begin(header)
  }

  func read(_ record: TraceRecord) {
    if record.device != device { judge.read(record) }
  }

  func end(_ outcome: RunOutcome) { judge.end(outcome) }
}

/// Collects what the others do in which state, as numbers: a pair of what a device did last and what it does now.
final class AnswerReader: TraceReader {
  /// Pairs of one execution.
  static let limit = 2_048

  private let device: Int
  private var states: [UInt64] = []
  private var roles: [UInt64] = []
  private var seen: Set<UInt64> = []
  /// In the order in which they were first seen.
  private(set) var pairs: [UInt64] = []
  var isOn = false

  init(besides device: Int) { self.device = device }

  func begin(_ header: TraceHeader) {
    states = header.devices.map { _ in 0 }
    roles = header.devices.map { device in
      var digest = TraceDigest()
      digest.combine(text: device.role.rawValue)
      return digest.word
    }
  }

  func read(_ record: TraceRecord) {
    guard record.device >= 0, record.device != device, let code = record.event.kindWord else { return }
    note(code, of: record.device)
  }

  /// A unit that another device sends at the seam of the attack is an answer too.
  func note(_ unit: TappedUnit, at seam: FuzzSeam) {
    guard let kind = seam.kind(of: unit) else { return }
    note(kind, of: unit.device)
  }

  private func note(_ code: UInt64, of device: Int) {
    let old = states[device]
    states[device] = code
    guard isOn, pairs.count < Self.limit else { return }
    let pair = RandomStream.mix(old ^ RandomStream.mix(code ^ roles[device]))
    if seen.insert(pair).inserted { pairs.append(pair) }
  }
}
