import Expectations
import Testing

@testable import BluetoothWire
@testable import CaptureCheck

/// The tables of `inspect` have more packets than the codecs, and names and units that a codec does not need. What both
/// have must have one form: octets of the codecs fill the fields of the tables, and an octet less does not.
@Suite("Inspection has the form of every PDU that is read and written")
struct FormAgreementTests {
  static func judge(_ what: String, _ octets: [UInt8], isFixed: Bool = true, _ lines: (ArraySlice<UInt8>) -> [String]) {
    let whole = lines(octets[...])
    let isWhole = !whole.contains { $0.contains("missing") || $0.hasPrefix("Further_Octets") }
    expect(isWhole, "\(what): \(whole)")
    expect(octets.isEmpty || whole.first?.contains(": ") == true, "\(what) has no fields: \(whole)")
    guard isFixed, !octets.isEmpty else { return }
    let short = lines(octets.dropLast())
    expect(short.contains { $0.contains("missing") }, "\(what) without its last octet: \(short)")
  }

  /// Commands that are shown as octets.
  static let commandsWithoutFields: [UInt16] = [0x0C7B, 0x205E, 0x2074]

  @Test("HCI commands")
  func commands() {
    for command in HCI.Command.blanks where !Self.commandsWithoutFields.contains(command.opcode.rawValue) {
      let opcode = command.opcode.rawValue
      // Octets after legacy advertising data do not count, so they may be missing.
      let isFixed = opcode != 0x2008 && opcode != 0x2009
      Self.judge("command \(hexNumber(opcode, digits: 4))", Array(command.h4Octets.dropFirst(4)), isFixed: isFixed) {
        CommandFields.table.lines(opcode, $0)
      }
    }
    expect(HCI.Command.blanks.count > 70)
  }

  @Test("HCI events")
  func events() {
    for event in HCI.Event.blanks where event.code != 0x0E {
      let front = event.subevent.map { [$0] } ?? []
      Self.judge("event \(event.declaredCode)", Array(event.h4Octets.dropFirst(3 + front.count))) {
        EventFields.lines(event.code, (front + $0)[...])
      }
    }
  }

  @Test("LL control PDUs")
  func control() {
    for pdu in LL.ControlPDU.blanks {
      Self.judge("opcode \(pdu.opcode)", Array(pdu.octets.dropFirst())) {
        ControlFields.table.lines(UInt16(pdu.opcode), $0)
      }
    }
  }

  @Test("Security Manager PDUs and signalling commands")
  func host() {
    for pdu in SMP.PDU.blanks {
      Self.judge("code \(pdu.code)", Array(pdu.octets.dropFirst())) {
        SecurityFields.table.lines(UInt16(pdu.code), $0)
      }
    }
    for signal in L2CAP.Signal.blanks { Self.judge("\(signal)", signal.octets, SignallingFields.lines) }
  }

  @Test("ATT PDUs")
  func attributes() {
    for pdu in ATT.PDU.blanks {
      Self.judge("\(pdu.opcode)", Array(pdu.octets.dropFirst()), isFixed: false) {
        AttributeFields.table.lines(UInt16(pdu.opcode.rawValue), $0)
      }
    }
  }
}
