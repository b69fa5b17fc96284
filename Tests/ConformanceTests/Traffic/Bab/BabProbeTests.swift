import Foundation
import Testing
import BabSim
@testable import Conformance

@Suite("BabProbe")
struct BabProbeTests {
  @Test(arguments: CapturedRun.shipped)
  func scenarios(path: String) throws {
    let start = Date()
    let run = try CapturedRun(try CapturedRun.scenario(path))
    print("PROBE \(path) \(Date().timeIntervalSince(start)) s dialect \(run.hci.dialect ?? "-") / \(run.air.dialect ?? "-")\n\(run.details)\nNOTES \(run.hci.notes.map(\.text))\nHOSTS \(run.hci.header.devices.map { "\($0.name) \($0.role) \($0.address)" })\nEND")
  }
}
