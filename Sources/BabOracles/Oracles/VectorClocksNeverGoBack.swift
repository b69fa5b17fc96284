import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// The entries of an app's vector clock only grow while the app runs.
package final class VectorClocksNeverGoBack: BabOracle {
  package static let id = "VectorClocksNeverGoBack"
  package static let claim = "No entry of an app's vector clock ever goes back or disappears while the app runs."
  package static let clause = "BAB 5.6.3"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.clock, .launched]

  package let ledger = makeLedger()
  private var clocks: [[ClockEntry]]

  package init(state: BabRunState) { clocks = Array(repeating: [], count: state.devices.count) }

  package func observe(_ record: TraceRecord) {
    guard clocks.indices.contains(record.device) else { return }
    switch record.bab {
    case .input(.launched): clocks[record.device] = []
    case .report(.vectorClock(let entries)):
      if let older = Self.firstStepBack(from: clocks[record.device], to: entries) {
        let newer = Self.count(of: older.peerID, in: entries, near: 0)
        ledger.fail(
          record, expected: "\(older.peerID) at \(older.count) or more",
          actual: newer.map { "\($0)" } ?? "no entry for it")
      } else {
        ledger.judged += 1
      }
      clocks[record.device] = entries
    default: break
    }
  }

  /// The first entry that is smaller in `new`; an entry of 0 may be left out.
  private static func firstStepBack(from old: [ClockEntry], to new: [ClockEntry]) -> ClockEntry? {
    for (index, entry) in old.enumerated() where entry.count > (count(of: entry.peerID, in: new, near: index) ?? 0) {
      return entry
    }
    return nil
  }

  /// Clocks mostly keep their order, so the same place is looked at first.
  private static func count(of peerID: String, in entries: [ClockEntry], near index: Int) -> Int64? {
    if index < entries.count, entries[index].peerID == peerID { return entries[index].count }
    return entries.first { $0.peerID == peerID }?.count
  }
}
