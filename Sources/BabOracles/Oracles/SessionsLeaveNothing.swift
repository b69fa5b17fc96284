import AppSeam
import BabSim
package import Bench
import BluetoothWire
package import Conformance
package import Judging
import Platform
package import SimKernel

/// A client whose session is over, or whose person has left, uses the radio no more.
///
/// Not judged: timers, apps that ask for scans and attempts by other words than those of the seam, captures.
package final class SessionsLeaveNothing: BabOracle {
  package static let id = "SessionsLeaveNothing"
  package static let claim = "A client whose session is over leaves no link, scan or connection attempt behind."
  package static let clause = "BAB 5.7.8"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.launched, .link, .presence, .otherEffect, .session, .user, .fault]

  private struct Use {
    var isScanning = false
    var attempts: [BluetoothAddress] = []
    /// When nothing may be left.
    var due: Obligation?
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  private var uses: [Use]

  package init(state: BabRunState) {
    self.state = state
    uses = Array(repeating: Use(), count: state.devices.count)
  }

  package var deadline: SimInstant { uses.lazy.map(\.due).deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.role == .client, device.isSeenWhole else { return }
    let index = device.index
    switch record.bab {
    case .input(.launched), .fault(.kill), .fault(.reclaim), .input(.radioPower(false)): uses[index] = Use()
    case .effect(.scan): uses[index].isScanning = true
    case .effect(.stopScanning): uses[index].isScanning = false
    case .effect(.connect(let address)): uses[index].attempts.append(address)
    case .effect(.cancelConnect(let address)), .input(.connected(_, let address)),
      .input(.connectFailed(let address, _)):
      uses[index].attempts.removeAll { $0 == address }
    case .report(.sessionEnded), .action(.leave): end(device, record)
    case .action: uses[index].due = nil
    default: break
    }
  }

  private func end(_ device: BabDevice, _ record: TraceRecord) {
    guard uses[device.index].due == nil else { return }
    uses[device.index].due = Obligation(device.running, within: Bounds.leavesNothing, from: record.instant)
  }

  package func expire(at now: SimInstant) {
    for device in state.devices {
      guard let due = uses[device.index].due, due.isDue(at: now) else { continue }
      uses[device.index].due = nil
      let left = Self.left(uses[device.index], device, since: due.since)
      if left.isEmpty {
        ledger.judged += 1
        continue
      }
      ledger.fail(
        at: due.deadline, device: device.index, since: due.since, expected: "nothing left of the session",
        actual: left.joined(separator: ", "))
    }
  }

  private static func left(_ use: Use, _ device: BabDevice, since end: SimInstant) -> [String] {
    var left = use.isScanning ? ["a scan that was not stopped"] : []
    left += use.attempts.map { "an attempt to connect to \($0)" }
    left += device.links.filter { $0.isUp && !$0.isEnding }.map {
      "link \($0.id.rawValue), \($0.openedAt > end ? "made after that" : "whose end was not asked for")"
    }
    return left
  }

  /// Who has not had its time is not asked, but is heard where nothing is left already.
  package func finish(_ outcome: RunOutcome) {
    ledger.judged += state.devices.count { device in
      uses[device.index].due.map { Self.left(uses[device.index], device, since: $0.since).isEmpty } ?? false
    }
  }
}
