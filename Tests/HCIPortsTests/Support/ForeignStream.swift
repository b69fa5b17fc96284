import Expectations
import Foundation

/// The packets of a btsnoop file (H4 records) that somebody else wrote, in one direction.
enum ForeignStream {
  static let folder = Repository.shared + "/captures"

  static let areAvailable: Bool = {
    if FileManager.default.fileExists(atPath: folder + "/INDEX.tsv") { return true }
    print("SKIPPED: no shared captures at \(folder) (set BABBENCH_SHARED); streams of other stacks are not framed")
    return false
  }()

  /// The packets of the capture whose name starts with `prefix`, from the controller or from the host.
  static func packets(_ prefix: String, fromController: Bool) throws -> [[UInt8]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix + "-") }
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + (names.first ?? ""))))
    var packets: [[UInt8]] = []
    var offset = 16
    while offset + 24 <= octets.count {
      func number(_ at: Int) -> Int { octets[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
      let length = number(offset + 4)
      if (number(offset + 8) & 1 == 1) == fromController {
        packets.append(Array(octets[(offset + 24)...].prefix(length)))
      }
      offset += 24 + length
    }
    return packets
  }
}
