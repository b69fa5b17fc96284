import Bench
import Conformance
import Expectations
import Foundation
import Judging
import Shrink
import SimKernel
import Testing

/// A scenario below `Tests/Regressions` with its cause as a comment.
struct RegressionWorld: CustomTestStringConvertible {
  let path: String
  let text: String

  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
  var testDescription: String { name }

  /// Of the comment `# Bites: device=engine Oracle`.
  var bite: (device: String, engine: String, oracle: String)? {
    guard let words = words(of: "Bites"), words.count == 2, let equals = words[0].firstIndex(of: "=") else {
      return nil
    }
    return (
      String(words[0][..<equals]), String(words[0][words[0].index(after: equals)...]), String(words[1])
    )
  }

  /// Of the comment `# Seeds: 17 40`.
  var seeds: [UInt64] { words(of: "Seeds")?.compactMap { UInt64($0) } ?? [] }

  private func words(of key: String) -> [Substring]? {
    let start = "# \(key): "
    return text.split(separator: "\n").first { $0.hasPrefix(start) }?.dropFirst(start.count).split(separator: " ")
  }

  /// - Parameter folder: below `Tests/Regressions`.
  static func all(_ folder: String) throws -> [RegressionWorld] {
    let folder = Repository.root.appendingPathComponent("Tests/Regressions/" + folder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    precondition(!files.isEmpty, "no world in \(folder.path)")
    return try files.sorted().map { file in
      let path = folder.appendingPathComponent(file).path
      return RegressionWorld(path: path, text: try String(contentsOfFile: path, encoding: .utf8))
    }
  }

  func scenario(settings: [String] = []) throws -> Scenario {
    try ScenarioFile.load(
      path, language: ExploreBench.language, overrides: settings.compactMap { ScenarioOverride($0) }
    ).get()
  }

  func judge(seed: UInt64, settings: [String] = []) throws -> Judgement {
    try ExploreBench.real.judge(scenario(settings: settings), RunOptions(seed: seed), [])
  }
}
