import CZlib
import Expectations
import Foundation
import Testing

/// The blocks of a page that its script reads.
enum PageBlock {
  /// What a browser gets of one of the page's blocks.
  static func read(_ id: String, _ page: String) throws -> Any {
    let start = try required(page.range(of: "id=\"\(id)\">"))
    let end = try required(page[start.upperBound...].range(of: "</script>"))
    let packed = try required(Data(base64Encoded: String(page[start.upperBound..<end.lowerBound])))
    return try JSONSerialization.jsonObject(with: inflate(packed))
  }

  private static func inflate(_ packed: Data) throws -> Data {
    var length = UInt(64 << 20)
    var octets = [UInt8](repeating: 0, count: Int(length))
    let outcome = packed.withUnsafeBytes {
      uncompress(&octets, &length, $0.bindMemory(to: UInt8.self).baseAddress, UInt($0.count))
    }
    try require(outcome == Z_OK)
    return Data(octets[..<Int(length)])
  }
}
