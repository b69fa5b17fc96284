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
    guard record.device >= 0, record.device != device, let code = Self.code(record.event) else { return }
    let old = states[record.device]
    states[record.device] = code
    guard isOn, pairs.count < Self.limit else { return }
    let pair = RandomStream.mix(old ^ RandomStream.mix(code ^ roles[record.device]))
    if seen.insert(pair).inserted { pairs.append(pair) }
  }

  private static func code(_ event: TraceEvent) -> UInt64? {
    switch event {
    case .input(let input): return code(input)
    case .report(let report):
      var visitor = KindVisitor()
      var statement = report.statement
      statement.visit(&visitor)
      return visitor.digest.word
    case .platform(let remark):
      var digest = TraceDigest()
      digest.combine(text: remark.kind.rawValue)
      return digest.word
    default: return nil
    }
  }

  private static func code(_ input: AppInput) -> UInt64? {
    switch input {
    case .connected: 1
    case .connectFailed(_, let reason): 2 << 8 | UInt64(reason.rawValue)
    case .disconnected(_, let reason): 3 << 8 | UInt64(reason.rawValue)
    case .subscribed(_, _, let isOn): isOn ? 4 : 5
    case .writeCompleted(_, _, let error): 6 << 8 | UInt64(error ?? 0)
    case .submitted(_, _, let isAccepted): isAccepted ? nil : 7
    default: nil
    }
  }
}

/// What kind of thing an app shows: its name, its flags, and texts that are names of states or packets.
private struct KindVisitor: WordVisitor {
  typealias Failure = Never

  var digest = TraceDigest()

  mutating func word(_ name: StaticString) { digest.combine(text: name.description) }

  mutating func field(_ name: StaticString, _ value: inout String) {
    let isName = !value.isEmpty && value.utf8.allSatisfy { $0 == 0x5F || 0x41...0x5A ~= $0 }
    digest.combine(text: isName ? value : "")
  }

  mutating func field(_ name: StaticString, _ value: inout String?) { digest.combine(value == nil ? 0 : 1) }
  mutating func field(_ name: StaticString, _ value: inout Int64) {}
  mutating func field(_ name: StaticString, _ value: inout Bool) { digest.combine(value ? 1 : 0) }
  mutating func field(_ name: StaticString, _ value: inout [String]) {}
  mutating func field(_ name: StaticString, _ value: inout LinkID) {}
  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {}
}
