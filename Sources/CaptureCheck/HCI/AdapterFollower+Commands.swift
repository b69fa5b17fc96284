import BluetoothWire
import CaptureFormats

extension AdapterFollower {
  func readCommand(_ octets: ArraySlice<UInt8>) {
    let fields = OctetFields(octets)
    guard fields.count >= 3 else {
      return output.emit(.asides) {
        .aside(.hci(adapter: adapter.number, indicator: HCI.PacketIndicator.command, isToHost: false), octets)
      }
    }
    let opcode = HCI.Opcode(rawValue: fields.u16(0))
    output.emit(.commands) { .command(adapter: adapter, opcode, octets.dropFirst(3)) }
    switch opcode.rawValue {
    case 0x2005 where fields.count >= 9: addresses.pendingRandom = random(fields.u48(3))
    // LE Set Advertising Parameters, and the extended ones in both versions: Own_Address_Type.
    case 0x2006 where fields.count >= 9: addresses.whenAdvertising = fields.u8(8)
    case 0x2036 where fields.count >= 14, 0x207F where fields.count >= 14:
      addresses.ofSets[fields.u8(3)] = fields.u8(13)
      addresses.newestSet = fields.u8(3)
    case 0x2035 where fields.count >= 10: addresses.randomOfSets[fields.u8(3)] = random(fields.u48(4))
    case 0x203C where fields.count >= 4:
      addresses.ofSets[fields.u8(3)] = nil
      addresses.randomOfSets[fields.u8(3)] = nil
    // LE Create Connection, and the extended one in both versions.
    case 0x200D where fields.count >= 16: addresses.whenConnecting = fields.u8(15)
    case 0x2043 where fields.count >= 5: addresses.whenConnecting = fields.u8(4)
    case 0x2085 where fields.count >= 7: addresses.whenConnecting = fields.u8(6)
    default: readRole(opcode, fields)
    }
  }

  /// Only a central encrypts (Vol 4, Part E, 7.8.24); only a peripheral answers for the key (7.8.25, 7.8.26).
  private func readRole(_ opcode: HCI.Opcode, _ fields: OctetFields) {
    guard [0x2019, 0x201A, 0x201B].contains(opcode.rawValue), fields.count >= 5 else { return }
    guard let link = link(Int(fields.u16(3))) else { return }
    learnRole(opcode.rawValue == 0x2019 ? .central : .peripheral, link)
  }

  private func random(_ bits: UInt64) -> BluetoothAddress { BluetoothAddress(kind: .random, bits: bits) }

  /// New Index and Index Info of a monitor. Layouts: `Type: 1 | Bus: 1 | Address: 6 | Name: 8` and
  /// `Address: 6 | Manufacturer: 2`.
  func introduce(_ octets: ArraySlice<UInt8>, isNew: Bool) {
    let fields = OctetFields(octets)
    guard fields.count >= (isNew ? 16 : 8) else { return }
    learnPublic(fields.u48(isNew ? 2 : 0))
    guard isNew else { return }
    let name = fields.piece(8, 8).prefix { $0 != 0 }
    if !name.isEmpty, name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      adapter.name = String(decoding: name, as: UTF8.self)
    }
  }

  func learnPublic(_ bits: UInt64) {
    guard bits != 0 else { return }
    let address = BluetoothAddress(kind: .publicDevice, bits: bits)
    adapter.publicAddress = address
    adapter.learn(address)
  }
}
