import BluetoothWire
import CaptureFormats

/// Access addresses without a CONNECT_IND that may be those of connections, and what speaks for it.
///
/// Noise gives a new access address with every PDU; a connection gives the same one again, with PDUs whose CRCs come
/// from one CRC initialisation value, and whose sequence numbers move. Memory: a fixed number of candidates.
struct AirCandidates {
  struct Evidence {
    /// Nil when the file has no CRC.
    var crcInit: UInt32?
  }

  private struct Candidate {
    var accessAddress: UInt32
    var file: Int
    var crcInit: UInt32?
    var flags: UInt8
  }

  private static let limit = 64
  private var candidates: [Candidate] = []
  private var next = 0

  /// - Parameter expectedInit: of a connection with this access address that fell silent.
  /// - Returns: what is known of the connection, nil while it is not plausible.
  mutating func judge(
    _ octets: ArraySlice<UInt8>, _ header: AirHeader, file: Int, expectedInit: UInt32?
  ) -> Evidence? {
    guard header.isCRCValid != false, octets.count >= 2 else { return nil }
    let flags = octets[octets.startIndex]
    let length = Int(octets[octets.startIndex + 1])
    let payload = octets.count - 2
    guard flags & 3 != 0, payload == length || header.isDecrypted else { return nil }
    // Programs that did not keep the CRC write zeros.
    let crc = header.isDecrypted || header.crc == 0 && header.isCRCValid == true ? nil : header.crc
    let crcInit = crc.map { Self.crcInit(of: octets, crc: $0) }
    if let expectedInit { return crcInit == nil || crcInit == expectedInit ? Evidence(crcInit: expectedInit) : nil }
    let isStated = header.isCRCValid == true && header.isFromCentral != nil
    if isStated, crcInit == nil { return Evidence(crcInit: nil) }
    if header.isCRCValid == nil, crcInit == nil, !LL.isValidAccessAddress(header.accessAddress) { return nil }
    let found = candidates.firstIndex { $0.accessAddress == header.accessAddress && $0.file == file }
    if let found {
      let before = candidates[found]
      if isStated || before.flags != flags, before.crcInit == crcInit {
        candidates[found].accessAddress = LL.advertisingAccessAddress
        return Evidence(crcInit: crcInit)
      }
    }
    let candidate = Candidate(accessAddress: header.accessAddress, file: file, crcInit: crcInit, flags: flags)
    if let found {
      candidates[found] = candidate
    } else if candidates.count < Self.limit {
      candidates.append(candidate)
    } else {
      candidates[next] = candidate
      next = (next + 1) % Self.limit
    }
    return nil
  }

  /// The CRC initialisation value that gives this CRC: the register of 3.1.1 run backwards over the PDU.
  ///
  /// - Parameter crc: as `LL.crc24` gives it.
  static func crcInit(of octets: ArraySlice<UInt8>, crc: UInt32) -> UInt32 {
    var register = crc & 0xFF_FFFF
    for octet in octets.reversed() {
      for _ in 0..<8 {
        register = register & 0x80_0000 != 0 ? (register ^ 0xDA_6000) << 1 | 1 : register << 1
        register &= 0xFF_FFFF
      }
      register ^= UInt32(octet)
    }
    var mirrored: UInt32 = 0
    for bit in UInt32(0)..<24 where register >> bit & 1 != 0 { mirrored |= 1 << (23 - bit) }
    return mirrored
  }
}
