import Judging

extension PartialEngine {
  /// The engine as it is tested.
  package func implementation(of app: AppProtocol) -> ImplementationUnderTest {
    var implementation = ImplementationUnderTest(of: app, name: name, role: role, makeEngine: makeEngine)
    if let profile { implementation.follow(profile, inAllItsDialects: true) }
    return implementation
  }

  /// Whether a verdict is without ground: a fail that names nothing of what the engine leaves out, or a pass for what
  /// it has not done.
  package func isUnfounded(_ result: CaseResult) -> Bool {
    if result.verdict == .pass, let mayPass { return !CaseSelection(select: mayPass).contains(result.id.purpose) }
    guard result.verdict == .fail else { return false }
    let told = [result.cause?.text ?? "", result.finding?.expected ?? "", result.finding?.actual ?? ""]
    return !own.contains { word in told.contains { $0.contains(word) } }
  }
}
