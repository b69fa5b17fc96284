import CaptureFormats
import CaptureTestSupport

@testable import CaptureCheck

/// Records of one capture as they are with keys.
struct DecryptedRecords {
  let ring: KeyRing
  let decryption: LinkDecryption
  let records: [CaptureRecord]

  init(_ encrypted: [CaptureRecord], _ keys: [CaptureKey] = []) {
    let ring = KeyRing(keys)
    let decryption = LinkDecryption(file: 0, ring)
    records = encrypted.map { decryption.read($0) }
    self.ring = ring
    self.decryption = decryption
  }

  var sessions: [EncryptedSession] { decryption.sessions }
  /// Those of the link layer that were put in plain.
  var opened: [CaptureRecord] {
    records.filter { if case .air(let header) = $0.body { header.isMICValid == true } else { false } }
  }

  func notes(_ log: AirLog) -> [String] {
    Checker.notes(on: [decryption], ring, links: log.opened).map(\.text)
  }
}

/// L2CAP frames as a controller handed them to its host, put together by their lengths.
enum HostFrames {
  static func att(_ fragments: [[UInt8]]) -> [[UInt8]] { all(fragments, channel: 4) }

  static func all(_ fragments: [[UInt8]], channel: UInt16) -> [[UInt8]] {
    var rest = fragments.flatMap { $0 }[...]
    var frames: [[UInt8]] = []
    while rest.count >= 4 {
      let start = rest.startIndex
      let length = Int(rest[start]) | Int(rest[start + 1]) << 8
      if UInt16(rest[start + 2]) | UInt16(rest[start + 3]) << 8 == channel {
        frames.append(Array(rest.dropFirst(4).prefix(length)))
      }
      rest = rest.dropFirst(4 + length)
    }
    return frames
  }
}
