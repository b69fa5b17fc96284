import Foundation
import Testing
import BabSim
@testable import Conformance

@Suite("BabProbe")
struct BabProbeTests {
  @Test func all() throws {
    let text = (try? String(contentsOfFile: "/tmp/bab-cases.txt", encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ").map(String.init)
      let start = Date()
      do {
        let host = parts.first { $0.hasPrefix("host=") }.map { String($0.dropFirst(5)) }
        let client = parts.first { $0.hasPrefix("client=") }.map { String($0.dropFirst(7)) }
        let run = try CapturedRun(try CapturedRun.scenario(parts[0], host: host, client: client))
        print("PROBE \(line) \(Date().timeIntervalSince(start)) s dialect \(run.hci.dialect ?? "-") / \(run.air.dialect ?? "-")\n\(run.details)")
        if parts.contains("full") {
          print("NOTES \(run.hci.notes.map(\.text)) AIR \(run.air.notes.map(\.text))\nHOSTS \(run.hci.header.devices.map { "\($0.name) \($0.role) \($0.address)" }) AIR \(run.air.header.devices.map { "\($0.name) \($0.role) \($0.address)" })")
          for o in zip(run.live.oracles, zip(run.hci.oracles, run.air.oracles)) { print(o.0.id, o.0.verdict, o.0.judged, o.1.0.verdict, o.1.0.judged, o.1.1.verdict, o.1.1.judged) }
          for f in run.hci.oracles.flatMap(\.findings).prefix(20) { print(f) }
        }
      } catch { print("PROBE \(line) ERROR \(error)") }
    }
  }
}
