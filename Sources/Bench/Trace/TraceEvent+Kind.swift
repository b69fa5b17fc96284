import AppSeam
import BluetoothWire
import Platform
import SimKernel

extension TraceEvent {
  /// A number that tells what an app was told or shows from other such things, without texts and numbers that differ
  /// from run to run; nil for what says nothing of an app's state.
  package var kindWord: UInt64? {
    switch self {
    case .input(let input): return Self.kindWord(of: input.plain)
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

  private static func kindWord(of input: AppInput) -> UInt64? {
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
