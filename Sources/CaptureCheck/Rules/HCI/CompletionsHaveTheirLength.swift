import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 4, Part E, 7.7.14, and the commands' own clauses in 7.3 to 7.8.
final class CompletionsHaveTheirLength: TrafficRule {
  static let id = "CompletionsHaveTheirLength"
  static let claim = "Command Complete of a command that succeeded has all return parameters of it, and no more."
  static let clause = "Core v5.4, Vol 4, Part E, 7.7.14"
  static let leavesOpen = "nothing; vendors' commands, and those that not every version defines, are left alone"
  static let eventCodes = OpcodeSet(0x0E)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .events

  func observe(event: TrafficHCIEvent) {
    let fields = event.parameters
    guard fields.count >= 4 else { return }
    let opcode = fields.word(at: 1)
    // Many controllers return only the status when a command has failed.
    guard fields.octet(at: 3) == 0, let expected = Self.lengths[opcode] else { return }
    if fields.count - 3 == expected { return ledger.judged += 1 }
    let name = HCINames.command(opcode) ?? RuleText.handle(opcode)
    fail(
      event, nil, expected: "\(CountedNoun.text(expected, "octet")) of return parameters of \(name)",
      actual: "the controller returns \(fields.count - 3)")
  }

  /// Octets of return parameters, the status counted, by opcode.
  private static let lengths: [UInt16: Int] = {
    let opcodes: [(length: Int, of: [UInt16])] = [
      (
        1,
        [
          0x0C01, 0x0C03, 0x0C63, 0x0C6D, 0x2001, 0x2005, 0x2006, 0x2008, 0x2009, 0x200A, 0x200B, 0x200C, 0x200E,
          0x2010, 0x2011, 0x2012, 0x2014, 0x201D, 0x201E, 0x2024, 0x2027, 0x2028, 0x2029, 0x202D, 0x202E, 0x2031,
          0x2035, 0x2037, 0x2038, 0x2039, 0x203C, 0x203D, 0x203E, 0x203F, 0x2040, 0x2041, 0x2042, 0x2045, 0x2047,
          0x2048, 0x2049, 0x204D, 0x204E, 0x205F,
        ]
      ),
      (2, [0x2007, 0x200F, 0x202A, 0x2036, 0x203B, 0x204A, 0x2082, 0x2086]),
      (
        3,
        [
          0x0C6C, 0x0C7C, 0x201A, 0x201B, 0x201F, 0x2020, 0x2021, 0x2022, 0x203A, 0x204B, 0x2078, 0x2079, 0x207A,
          0x2083, 0x2084,
        ]
      ),
      (4, [0x1405, 0x2002]), (5, [0x0C7B, 0x2023, 0x2030, 0x204C]), (6, [0x2076]),
      (7, [0x1009, 0x202B, 0x202C, 0x2060]),
      (8, [0x1005, 0x2015]), (9, [0x1001, 0x1003, 0x2003, 0x2018, 0x201C, 0x202F]), (17, [0x2017]), (65, [0x1002]),
    ]
    var lengths: [UInt16: Int] = [:]
    for (length, group) in opcodes { for opcode in group { lengths[opcode] = length } }
    return lengths
  }()
}
