package import BluetoothWire
package import SimKernel

/// What a program at a port for the air and the port say to each other (ADR 0044).
///
/// Layout: `41 | code: 1 | length: 2 | parameters`, numbers in little endian. 41 is no packet indicator of H4. A
/// program sends the codes below 80, a port the others.
package enum AirMessage: Hashable, Sendable {
  /// `01`: what the program wants to hear from now on; before it, everything.
  /// Parameters: `channel indices: 5 | PHYs: 1 | access address: 4, 0 … 64 times`, one bit for each index and for LE
  /// 1M, LE 2M and LE Coded. No access address: all.
  case listen(AirFilter)
  /// `02`: a PDU that begins at an instant. Parameters: `tag: 2 | instant: 8 | PDU as below`.
  case send(tag: UInt16, at: SimInstant, AirPacket)
  /// `03`: a PDU that begins T_IFS after the end of the next one that is heard whole and fits.
  /// Parameters: `tag: 2 | length: 1 | mask | octets | PDU as below`, mask and octets of that length.
  case answer(tag: UInt16, to: AirPattern, AirPacket)
  /// `04`: the answer of that tag is not sent any more. Parameters: `tag: 2`.
  case forget(tag: UInt16)
  /// `81`: a PDU is over. Parameters: `start: 8 | duration: 4 | channel index: 1 | PHY: 1 | access address: 4 | RSSI: 1
  /// | flags: 1 | PDU`; times in nanoseconds, RSSI in dBm; bit 0 of the flags: its CRC is right.
  case heard(start: SimInstant, duration: SimDuration, rssi: Int8, isValid: Bool, AirPacket)
  /// `82`: what became of a PDU of the program. Parameters: `tag: 2 | status: 1 | start: 8 | duration: 4`.
  case done(tag: UInt16, AirStatus, start: SimInstant, duration: SimDuration)

  package static let indicator: UInt8 = 0x41
  /// Indicator, code and length.
  package static let headerLength = 4
  /// Octets of the longest message of a program.
  package static let maximumLength = headerLength + 3 + 2 * AirPattern.maximumLength + AirPacket.maximumLength
}

/// Why a PDU of a program was sent, or was not.
package enum AirStatus: UInt8, Hashable, Sendable {
  case sent
  /// The message, or the PDU in it, cannot be read.
  case malformed
  /// Its instant has passed.
  case tooLate
  /// The radio was sending something else.
  case isSending
  /// The radio is off.
  case isOff
  /// Too many PDUs or answers wait.
  case tooMany
}

/// A PDU with everything that a radio has to know of it.
///
/// Layout: `channel index: 1 | PHY: 1 | access address: 4 | CRC init: 3 | flags: 1 | PDU`. Bit 0 of the flags: the CRC
/// is wrong; bit 1, of an answer: it is sent each time. In an answer, channel index FF and PHY 00 are those of what is
/// answered.
package struct AirPacket: Hashable, Sendable {
  package var channelIndex: UInt8
  /// As `LL.AirPHY` numbers it: 1 LE 1M, 2 LE 2M, 3 and 4 LE Coded with S = 8 and S = 2.
  package var phy: UInt8
  package var accessAddress: UInt32
  package var crcInit: UInt32 = LL.advertisingCRCInit
  package var flags: UInt8 = 0
  /// Header and payload.
  package var pdu: [UInt8]

  package static let maximumLength = 10 + 257

  package init(channelIndex: UInt8, phy: LL.AirPHY, accessAddress: UInt32, pdu: [UInt8]) {
    (self.channelIndex, self.phy, self.accessAddress, self.pdu) = (channelIndex, phy.rawValue, accessAddress, pdu)
  }

  /// Its CRC is as it should be where nobody knows another CRC init.
  var hasRightCRC: Bool {
    flags & 1 == 0 && (accessAddress != LL.advertisingAccessAddress || crcInit == LL.advertisingCRCInit)
  }
  var isRepeated: Bool { flags & 2 != 0 }
}

/// What an answer is an answer to: a channel and the first octets of a PDU.
package struct AirPattern: Hashable, Sendable {
  package static let maximumLength = 64
  package var mask: [UInt8]
  package var octets: [UInt8]

  /// - Precondition: mask and octets have the same length.
  package init(mask: [UInt8], octets: [UInt8]) { (self.mask, self.octets) = (mask, octets) }

  func fits(_ pdu: [UInt8]) -> Bool {
    pdu.count >= mask.count && mask.indices.allSatisfy { (pdu[$0] ^ octets[$0]) & mask[$0] == 0 }
  }
}

/// What a program wants to hear.
package struct AirFilter: Hashable, Sendable {
  package static let maximumAddresses = 64
  /// One bit for each channel index.
  package var channels: UInt64 = 0xFF_FFFF_FFFF
  /// Bits 0, 1, 2: LE 1M, LE 2M, LE Coded.
  package var phys: UInt8 = 7
  /// Empty: all.
  package var accessAddresses: [UInt32] = []

  package init() {}

  func takes(_ channelIndex: UInt8, _ phy: LL.AirPHY, _ accessAddress: UInt32) -> Bool {
    channels >> channelIndex & 1 != 0 && phys >> (phy.phy.rawValue - 1) & 1 != 0
      && (accessAddresses.isEmpty || accessAddresses.contains(accessAddress))
  }
}
