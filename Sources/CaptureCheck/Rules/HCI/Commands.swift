import BluetoothWire
import Judging
import SimKernel
/// Spec: Core v5.4, Vol 4, Part E, 4.4.
///
/// Reset may always be sent, and Host Number Of Completed Packets is not counted (7.3.40). Commands of the reserved OGF
/// 0x3D are words between BTstack and its programs, which it logs as if they were sent.
final class CommandsKeepTheirAllowance: TrafficRule {
  static let id = "CommandsKeepTheirAllowance"
  static let claim = "A host sends no more commands than Num_HCI_Command_Packets of the newest event allows."
  static let clause = "Core v5.4, Vol 4, Part E, 4.4"
  static let leavesOpen =
    "no event has said yet how many commands are allowed, records are cut or not in their order, or a record is there "
    + "twice with the same time"
  static let eventCodes = OpcodeSet(0x0E, 0x0F)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.commands, .events]
  /// Commands that may still be sent; nil when no event has said so yet.
  @exclusivity(unchecked) private var allowances = PerAdapter(Int?.none)
  /// Some logs have one record several times.
  @exclusivity(unchecked) private var newest: (opcode: UInt16, instant: SimInstant)?
  @exclusivity(unchecked) private var hasDoubles = false

  func observe(_ event: TrafficEvent) {
    guard case .command(let adapter, let opcode, _) = event.kind else { return }
    if opcode.rawValue == 0x0C35 || opcode.rawValue >> 10 == 0x3D { return }
    if let newest, newest.opcode == opcode.rawValue, hasDoubles || newest.instant == event.instant {
      hasDoubles = true
      return ledger.open += 1
    }
    newest = (opcode.rawValue, event.instant)
    if opcode.rawValue == 0x0C03 { return allowances[adapter] = 0 }
    guard let allowance = allowances[adapter] else { return leaveOpen(adapter) }
    if allowance > 0 {
      allowances[adapter] = allowance - 1
      return ledger.judged += 1
    }
    fail(
      event, nil, expected: "no command before an event allows one",
      actual: "the host sends \(RuleText.handle(opcode.rawValue))")
    allowances[adapter] = nil
  }

  func observe(event: TrafficHCIEvent) {
    let place = event.code == 0x0E ? 0 : 1
    if event.parameters.count > place { allowances[event.adapter] = Int(event.parameters.octet(at: place)) }
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 7.7.14 and 7.7.15. Vendors' commands are left alone.
final class CompletionsAnswerCommands: TrafficRule {
  static let id = "CompletionsAnswerCommands"
  static let claim = "Command Complete and Command Status name a command that was sent and not yet answered."
  static let clause = "Core v5.4, Vol 4, Part E, 7.7.14"
  static let leavesOpen =
    "the controller was not reset in the capture or since records were cut or not in their order, or the command was "
    + "sent before, others after it, and a record of it may be missing; vendors' commands are left alone"
  static let eventCodes = OpcodeSet(0x0E, 0x0F)

  private struct State {
    var sent: [UInt16] = []
    /// From Reset on: before it, older commands may be under way.
    var isSure = false
    /// Commands that were answered.
    var answered: Set<UInt16> = []
    /// The command that was sent last.
    var newest: UInt16?
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.commands, .events]
  @exclusivity(unchecked) private var adapters = PerAdapter(State())

  func observe(_ event: TrafficEvent) {
    guard case .command(let adapter, let opcode, _) = event.kind else { return }
    if adapters[adapter].sent.count >= 64 { adapters[adapter].sent.removeFirst() }
    adapters[adapter].sent.append(opcode.rawValue)
    adapters[adapter].newest = opcode.rawValue
  }

  func observe(event: TrafficHCIEvent) {
    let place = event.code == 0x0E ? 1 : 2
    if event.parameters.count >= place + 2 { end(event, event.adapter, event.parameters.word(at: place)) }
  }

  private func end(_ event: TrafficHCIEvent, _ adapter: TrafficAdapter, _ opcode: UInt16) {
    // An event without a command only says how many may be sent.
    if opcode == 0 || opcode >> 10 == 0x3F { return }
    if let place = adapters[adapter].sent.firstIndex(of: opcode) {
      adapters[adapter].sent.remove(at: place)
      adapters[adapter].answered.insert(opcode)
      ledger.judged += 1
      if opcode == 0x0C03 { adapters[adapter].isSure = true }
    } else if adapters[adapter].isSure, !mayHaveBeenSent(opcode, adapters[adapter]) {
      fail(
        event, nil, expected: "the opcode of a command that has no answer yet",
        actual: "the controller names \(RuleText.handle(opcode))")
    } else {
      // Before Reset, the beginning of the capture is the reason.
      if adapters[adapter].isSure { ledger.open += 1 } else { leaveOpen(adapter) }
    }
  }

  /// Logs lack a record now and then: a host that has sent this command before, and others since, may have sent it
  /// again.
  private func mayHaveBeenSent(_ opcode: UInt16, _ state: State) -> Bool {
    state.answered.contains(opcode) && state.newest != opcode
  }
}
