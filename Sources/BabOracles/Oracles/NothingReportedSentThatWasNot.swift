import AppSeam
import BabSim
package import Bench
import BluetoothWire
package import Conformance
package import Judging

/// A packet counts as sent only when the platform has taken every fragment of it.
package final class NothingReportedSentThatWasNot: BabOracle {
  package static let id = "NothingReportedSentThatWasNot"
  package static let claim = "A packet is reported sent only after the platform accepted every fragment of it."
  package static let clause = "BAB 5.9.3"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.answer, .packetSent, .launched]

  /// Accepted fragments of one link that no report has claimed yet.
  private struct Account {
    var link: LinkID
    var accepted = 0
    /// How a write was answered since the last report.
    var error: UInt8?
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device; links in order of first use, the newest last.
  private var accounts: [[Account]]

  package init(state: BabRunState) {
    self.state = state
    accounts = Array(repeating: [], count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard accounts.indices.contains(record.device) else { return }
    switch record.bab {
    case .input(.launched): accounts[record.device].removeAll()
    case .input(.submitted(let link, _, true)), .input(.writeCompleted(let link, _, nil)):
      accounts[record.device][account(of: link, record.device)].accepted += 1
    case .input(.writeCompleted(let link, _, let error?)):
      accounts[record.device][account(of: link, record.device)].error = error
    case .report(.packetSent(let link, let type, _, let fragments)):
      let index = account(of: link, record.device)
      let accepted = accounts[record.device][index].accepted
      let error = accounts[record.device][index].error
      accounts[record.device][index].error = nil
      accounts[record.device][index].accepted = max(0, accepted - fragments)
      if accepted >= fragments, fragments > 0 {
        ledger.judged += 1
      } else {
        ledger.fail(
          record, expected: "\(max(1, fragments)) accepted fragments of \(type) on link \(link.rawValue)",
          actual: "\(accepted) accepted"
            + (error.map {
              "; a write of it was answered with error \(hexNumber($0, digits: 2)), and the app goes on"
            } ?? ""))
      }
    default: break
    }
  }

  private func account(of link: LinkID, _ device: Int) -> Int {
    if let index = accounts[device].lastIndex(where: { $0.link == link }) { return index }
    // Links that are gone have nothing left to claim.
    accounts[device].removeAll { account in state.devices[device].link(account.link)?.isUp == false }
    accounts[device].append(Account(link: link))
    return accounts[device].count - 1
  }
}
