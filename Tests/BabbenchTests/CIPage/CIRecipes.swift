import Expectations
import Foundation
import Yams

/// The page of recipes for CI, as its readers copy it.
enum CIRecipes {
  /// A fenced block: what it is said to be, and its text.
  struct Block {
    var kind: String
    var text: String
  }

  static func blocks() throws -> [Block] {
    let page = try Repository.text("Docs/CI.md")
    let parts = page.components(separatedBy: "\n```")
    return stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Block(kind: String(lines[0]), text: lines.count > 1 ? String(lines[1]) : "")
    }
  }

  /// The steps of GitHub's recipe that are shell, each a script.
  static func gitHubSteps(_ text: String) throws -> [String] {
    let job = try Yams.compose(yaml: text)?["jobs"]?["conform"]
    return (job?["steps"]?.array() ?? []).compactMap { $0["run"]?.string }
  }

  /// GitLab runs both lists in one shell.
  static func gitLabScript(_ text: String) throws -> String {
    let job = try Yams.compose(yaml: text)?["conform"]
    return ["before_script", "script"].flatMap { job?[$0]?.array() ?? [] }.compactMap(\.string).joined(separator: "\n")
  }

  /// What a recipe of either service keeps when it has ended.
  static func kept(_ text: String) throws -> [String] {
    let recipe = try Yams.compose(yaml: text)
    let steps = (recipe?["jobs"]?["conform"]?["steps"]?.array() ?? []).compactMap { $0["with"] }
    let artifacts = recipe?["conform"]?["artifacts"]
    return steps.compactMap { ($0["path"] ?? $0["report_paths"])?.string }
      + (artifacts?["paths"]?.array() ?? []).compactMap(\.string)
      + [artifacts?["reports"]?["junit"]?.string].compactMap { $0 }
  }
}
