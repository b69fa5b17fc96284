import Bench
import Expectations
import Foundation
import Testing

@testable import Commands

/// What the documents and folders hold of the shipped edition, with all its protocols.
@Suite("The shipped edition", .shippedEdition)
struct ShippedEditionTests {
  private static let scenarios: [String] = {
    let folder = Repository.root.appendingPathComponent("Scenarios").resolvingSymlinksInPath()
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.filter { $0.hasSuffix(".yaml") }.sorted()
  }()

  @Test("The schema in Docs is what the command prints")
  func schema() throws {
    try equal(Executable.run(["schema"]).output, Repository.text("Docs/Formats/scenario.schema.json"))
  }

  @Test("Every scenario is read without a problem, says what it is about, and expects something", arguments: scenarios)
  func scenario(path: String) throws {
    let file = Repository.path("Scenarios/\(path)")
    if path.hasPrefix("programs/"), PythonHost.path(for: "\(path) was not read") == nil { return }
    let scenario = try ScenarioFile.load(file, language: .shipped, environment: Environment.inherited).get()
    expect(!scenario.summary.isEmpty && !scenario.devices.isEmpty && !scenario.expectations.isEmpty)
  }
}
