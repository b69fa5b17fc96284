package import Bench
import Shrink
package import SimKernel

/// A scenario as it is disturbed: nothing is expected of it, its steps wait longer, and it goes on for as long as
/// whoever plays it says.
///
/// It is read from a text, so that a disturbed world is a file that anybody can run.
package struct BaseScenario: Sendable {
  /// What reads a text as the file that the scenario comes from.
  package typealias Reader = @Sendable (_ text: String) -> Result<Scenario, ScenarioProblems>

  /// Without `meanwhile`.
  private let tree: YAMLTree
  package let scenario: Scenario
  /// What devices have done first of all, as scenario files write it; nil: nothing.
  package let beginnings: [YAMLTree?]

  /// - Parameters:
  ///   - tree: the scenario with all overrides.
  ///   - margin: how much longer its steps wait.
  ///   - span: how long a world may go on.
  ///   - read: reads a text.
  /// - Throws: `ScenarioProblems`.
  package init(_ tree: YAMLTree, seed: UInt64, margin: SimDuration, span: SimDuration, read: Reader) throws {
    var tree = tree.removing(TreePath(["expect"])).removing(TreePath(["claims"]))
    if let steps = tree.entry("steps") {
      tree = tree.replacing(TreePath(["steps"]), with: Self.patient(steps, by: margin))
    }
    for (key, value) in [("seed", String(seed)), ("duration", "0s")] {
      tree = tree.adding(key, YAMLTree(text: value), at: TreePath([]))
    }
    let limits = tree.entry("limits") ?? YAMLTree(entries: [])
    let time = YAMLTree(text: Self.words(span))
    tree = tree.adding("limits", limits.adding("simulated time", time, at: TreePath([])), at: TreePath([]))
    let asides = tree.entry("meanwhile")?.items ?? []
    tree = tree.removing(TreePath(["meanwhile"]))
    self.tree = asides.isEmpty ? tree : tree.adding("meanwhile", YAMLTree(.sequence(asides)), at: TreePath([]))
    let text = ScenarioText.text(of: self.tree)
    scenario = try read(text).get()
    beginnings = Self.beginnings(
      of: scenario, try ScenarioReader.tree(octets: Array(text.utf8), file: scenario.name, kind: .scenario).get())
  }

  /// The file of a world: the same, and what is done beside the steps.
  package func text(with asides: YAMLTree, remarks: [String]) -> String {
    let own = tree.entry("meanwhile")?.items ?? []
    let all = YAMLTree(.sequence(own + asides.items))
    return ScenarioText.text(of: tree.adding("meanwhile", all, at: TreePath([])), remarks: remarks)
  }

  /// The same with profiles and programs named from another folder.
  package func moved(to prefix: String) -> BaseScenario {
    prefix.isEmpty ? self : BaseScenario(tree.movingFiles(to: prefix), scenario, beginnings)
  }

  private init(_ tree: YAMLTree, _ scenario: Scenario, _ beginnings: [YAMLTree?]) {
    (self.tree, self.scenario, self.beginnings) = (tree, scenario, beginnings)
  }

  /// A time as scenario files write it, exactly.
  package static func words(_ span: SimDuration) -> String {
    span.nanoseconds % 1_000_000 == 0 ? span.shortSeconds + "s" : "\(span.nanoseconds)ns"
  }

  /// Steps of which each waits longer for what it waits for.
  private static func patient(_ steps: YAMLTree, by margin: SimDuration) -> YAMLTree {
    var copy = steps
    copy.value = .sequence(
      steps.items.map { step in
        guard let text = step.entry("within")?.scalar, let span = SimDuration(scenarioText: text) else { return step }
        return step.replacing(TreePath(["within"]), with: YAMLTree(text: words(span + margin)))
      })
    return copy
  }

  /// What each device's person does first, which is what they do again after the app was killed.
  private static func beginnings(of scenario: Scenario, _ tree: YAMLTree) -> [YAMLTree?] {
    scenario.devices.indices.map { device in
      for step in scenario.steps where step.devices.contains(device) {
        let parts = step.action.parts
        guard let place = parts.firstIndex(where: \.isOfUser) else { continue }
        // Steps of one entry share its place in the file; each action of it is a step, or a part of one that is spread.
        let siblings = scenario.steps.filter { $0.source == step.source && $0.lobby == step.lobby }
        let number = siblings.firstIndex(of: step).map { $0 + place } ?? place
        let actions = words(at: step.source, in: tree)
        if actions.indices.contains(number) { return actions[number] }
      }
      return nil
    }
  }

  /// The actions of the entry of a step at a place, one by one.
  private static func words(at source: SourceLocation, in tree: YAMLTree) -> [YAMLTree] {
    for step in tree.entry("steps")?.items ?? [] {
      for entry in step.entries where entry.keyLocation == source { return single(entry.value) }
    }
    return []
  }

  private static func single(_ actions: YAMLTree) -> [YAMLTree] {
    switch actions.value {
    case .scalar: [actions]
    case .sequence(let items): items.flatMap(single)
    case .mapping(let entries): entries.map { YAMLTree(entries: [($0.key, $0.value)]) }
    }
  }
}

extension Step.Action {
  fileprivate var isOfUser: Bool {
    if case .user = self { return true }
    return false
  }
}
