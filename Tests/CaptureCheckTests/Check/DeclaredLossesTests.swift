import BluetoothWire
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("What a capturer says that it lost")
struct DeclaredLossesTests {
  /// A link, and a request with a boundary flag that LE does not have (10): a fail by itself.
  private static let talk: [(isToHost: Bool, text: String)] = [
    (true, "04 3E 13 01 00 4000 00 00 015544332211 1800 0000 F401 00"),
    (false, "02 4020 0B00 0700 0400 08 0100 FFFF 002A"),
  ]

  /// - Parameter drops: the cumulative drops of each record, as RFC 1761 counts them.
  private func verdicts(drops: [Int]) throws -> [Verdict] {
    func number(_ value: UInt64, _ octets: Int) -> [UInt8] {
      (0..<octets).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    var octets = Array("btsnoop".utf8) + [0] + number(1, 4) + number(1_002, 4)
    for (index, packet) in Self.talk.enumerated() {
      let body = [UInt8].hex(packet.text)
      octets += number(UInt64(body.count), 4) + number(UInt64(body.count), 4) + number(packet.isToHost ? 1 : 0, 4)
      octets += number(UInt64(drops[index]), 4) + number(0x00E0_3AB4_4A67_6000 + UInt64(index) * 1_000, 8) + body
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(octets).write(to: file)
    return try Checker(paths: [file.path]).report().rules.flatMap(\.findings).map(\.verdict)
  }

  @Test("A finding after a declared loss is inconclusive; without one it is a fail")
  func losses() throws {
    let whole = try verdicts(drops: [0, 0])
    expect(whole.contains(.fail))
    let lossy = try verdicts(drops: [0, 3])
    expect(lossy.count == whole.count && lossy.allSatisfy { $0 == .inconclusive })
  }
}
