import AppSeam
import BabSim
package import Bench
import BluetoothWire
package import Conformance
package import Judging
import SimKernel

/// Packets use the characteristics that the dialect has for them.
///
/// It is judged by what apps hand over. Not judged: senders of `raw` values, captures.
package final class PacketsGoTheirWay: BabOracle {
  package static let id = "PacketsGoTheirWay"
  package static let claim = "Packets go through command and state; what can be read is the newest lobby alone."
  package static let clause = "BAB 2.6"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.transmit, .otherEffect]

  package let ledger = makeLedger()
  private let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.isSeenWhole, let profile = device.dialect else { return }
    switch record.bab {
    case .effect(.notify(_, let characteristic, _)):
      judge(characteristic, profile.state.uuid, "state", record)
    case .effect(.write(_, let characteristic, _)), .effect(.writeWithoutResponse(_, let characteristic, _)):
      judge(characteristic, profile.command.uuid, "command", record)
    case .effect(.setValue(profile.state.uuid, let octets)):
      if profile.state.properties.contains(.read), !octets.isEmpty { judge(octets, record) }
    default: break
    }
  }

  private func judge(_ characteristic: BluetoothUUID, _ wanted: BluetoothUUID, _ name: String, _ record: TraceRecord) {
    guard let packet = state.handed?.packet else { return }
    if characteristic == wanted { return ledger.judged += 1 }
    ledger.fail(
      record, expected: "\(packet.payload.type.rawValue) through \(name), \(wanted)",
      actual: "through \(characteristic)")
  }

  private func judge(_ value: [UInt8], _ record: TraceRecord) {
    do throws(BabPacketError) {
      let packet = try BabPacket(decoding: value)
      guard packet.payload.type != .lobbyUpdate else { return ledger.judged += 1 }
      ledger.fail(
        record, clause: "BAB 2.9", expected: "LOBBY_UPDATE as the value that can be read",
        actual: packet.payload.type.rawValue)
    } catch {
      let hasHeader = FragmentHeader(value).map { $0.index < $0.count } ?? false
      ledger.fail(
        record, clause: "BAB 2.9", expected: "the text of LOBBY_UPDATE as the value that can be read",
        actual: hasHeader ? "it begins with a fragment header" : "\(CountedNoun.text(value.count, "octet")): \(error)")
    }
  }
}
