import AppSeam
import BabSim
import Bench
import Bystanders
import Expectations
import Foundation
import Testing

@Suite("Shipped scenarios")
struct ScenarioShippedTests {
  /// Paths of all below the root, sorted.
  private static let shipped: [String] = {
    let folder = Repository.root.appendingPathComponent("Scenarios").resolvingSymlinksInPath()
    let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return found.filter { $0.hasSuffix(".yaml") }.sorted().map { "Scenarios/" + $0 }
  }()

  /// Those of BeamScribe, and those with programs, are read in `ShippedEditionTests`.
  private static let scenarios = shipped.filter { path in
    !["beamscribe", "programs"].contains { path.hasPrefix("Scenarios/\($0)/") }
  }

  @Test("Every file under Scenarios is read without a problem", arguments: scenarios)
  func reads(path: String) throws {
    switch ScenarioFile.load(
      Repository.path(path), language: ScenarioLanguage(apps: [BabApp(), BystanderApp()]))
    {
    case .success(let scenario):
      expect(!scenario.summary.isEmpty, "a shipped scenario says what it is about")
      expect(!scenario.devices.isEmpty)
      expect(!scenario.expectations.isEmpty, "a shipped scenario expects something")
    case .failure(let problems): Issue.record("\(problems)")
    }
  }

  @Test("The scenarios that the project promises are there")
  func promised() {
    let names = Self.shipped.map { $0.split(separator: "/").last.map { String($0.dropLast(5)) } ?? "" }
    let promised = [
      "two-peers", "eight-peer-lobby", "seven-at-once", "late-joiner", "ninth-peer-refused", "host-vanishes",
      "client-vanishes-and-returns", "noisy-convention-hall", "att-mtu-23", "iphone-host-in-background",
      "dialect-guide", "dialect-sdk", "dialect-app", "out-of-range-and-back", "broken-stack", "role-start",
      "saturated-link", "measured-link", "directed-reconnect", "long-range",
    ]
    equal(promised.filter { !names.contains($0) }, [])
    equal(Set(names).count, names.count, "two scenarios share a file name")
  }
}
