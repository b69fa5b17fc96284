import AppSeam
import BabSim
package import Bench
import BluetoothWire
package import Conformance
package import Judging

/// A link begins as the lobby needs it, before anything of the game is said.
///
/// It is judged by what apps hand over, so no link has a part in it. Not judged: links that an app was told of at its
/// launch, packets that cannot be read (`FragmentsMakePackets`), senders of `raw` values, captures.
package final class OpeningGoesInOrder: BabOracle {
  package static let id = "OpeningGoesInOrder"
  package static let claim = "A client subscribes, then sends HANDSHAKE and CLIENT_JOIN; its host's first is HANDSHAKE."
  package static let clause = "BAB 5.1.5"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.launched, .link, .transmit, .otherEffect, .otherInput]

  private struct Opening {
    var link: LinkID
    /// Packets of its app so far, up to two.
    var packets = 0
    var hasSent = false
    /// What notifies in the service that was found; nil: nothing was found yet.
    var notifying: [BluetoothUUID]?
    var subscriptions: [BluetoothUUID] = []
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device, links that are up and whose first packets are not all sent.
  private var openings: [[Opening]]

  package init(state: BabRunState) {
    self.state = state
    openings = Array(repeating: [], count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.isSeenWhole else { return }
    switch record.bab {
    case .input(.launched), .input(.radioPower(false)): openings[device.index] = []
    case .input(.connected(let link, _)):
      guard let end = device.link(link), !end.isInherited, !end.isToldLate else { return }
      openings[device.index].append(Opening(link: link))
    case .input(.disconnected(let link, _)): forget(link, device)
    case .input(.servicesDiscovered(let link, _, let found)):
      guard let place = place(link, device) else { return }
      openings[device.index][place].notifying = device.dialect?.notifying.filter { uuid in
        found.contains { $0.uuid == uuid && $0.properties.contains(.notify) }
      }
    case .effect(.exchangeMTU(let link, let attMTU)):
      guard let wanted = device.dialect?.attMTU, place(link, device) != nil else { return }
      // More may be what its framework asks for by itself.
      if attMTU >= wanted { return ledger.judged += 1 }
      ledger.fail(
        record, clause: "BAB 2.7", expected: "an ATT_MTU of \(wanted) asked for on link \(link.rawValue)",
        actual: "\(attMTU)")
    case .effect(.subscribe(let link, let characteristic, true)):
      if let place = place(link, device) { openings[device.index][place].subscriptions.append(characteristic) }
    case .effect(.notify(let link, _, _)), .effect(.write(let link, _, _)),
      .effect(.writeWithoutResponse(let link, _, _)):
      if let place = place(link, device) { judge(place, device, record) }
    default: break
    }
  }

  private func place(_ link: LinkID, _ device: BabDevice) -> Int? {
    openings[device.index].lastIndex { $0.link == link }
  }

  private func forget(_ link: LinkID, _ device: BabDevice) { openings[device.index].removeAll { $0.link == link } }

  private func judge(_ place: Int, _ device: BabDevice, _ record: TraceRecord) {
    let opening = openings[device.index][place]
    openings[device.index][place].hasSent = true
    if device.role == .client, !opening.hasSent, let notifying = opening.notifying {
      let missing = notifying.filter { !opening.subscriptions.contains($0) }
      if missing.isEmpty {
        ledger.judged += 1
      } else {
        ledger.fail(
          record, clause: "BAB 5.1.4",
          expected: "a subscription to each characteristic that notifies before the first value",
          actual: "none to \(missing.map { "\($0)" }.joined(separator: ", "))")
      }
    }
    guard let handed = state.handed else { return }
    guard let packet = handed.packet else { return forget(opening.link, device) }
    openings[device.index][place].packets += 1
    if device.role == .host {
      forget(opening.link, device)
      judgeHost(packet, record)
    } else {
      if opening.packets == 1 { forget(opening.link, device) }
      judgeClient(packet, number: opening.packets, device, record)
    }
  }

  private func judgeHost(_ packet: BabPacket, _ record: TraceRecord) {
    guard case .handshake(let participant) = packet.payload else {
      return ledger.fail(
        record, clause: "BAB 5.1.6", expected: "HANDSHAKE as the host's first packet on the link",
        actual: packet.payload.type.rawValue)
    }
    guard participant.isHost else {
      return ledger.fail(
        record, clause: "BAB 5.1.6", expected: "a HANDSHAKE whose isHost is true", actual: "isHost is false")
    }
    ledger.judged += 1
  }

  private func judgeClient(_ packet: BabPacket, number: Int, _ device: BabDevice, _ record: TraceRecord) {
    let wanted: PacketType = number == 0 ? .handshake : .clientJoin
    guard packet.payload.type == wanted else {
      return ledger.fail(
        record, expected: "\(wanted.rawValue) as the \(number == 0 ? "first" : "second") packet on the link",
        actual: packet.payload.type.rawValue)
    }
    if let peerID = device.peerID, packet.senderID != peerID {
      return ledger.fail(
        record, expected: "\(wanted.rawValue) with the app's own id, \(peerID)", actual: "the id \(packet.senderID)")
    }
    ledger.judged += 1
  }
}
