public import AppSeam
import SimKernel

/// What an engine of any protocol can leave out.
extension PartialEngine {
  /// Takes every step before one, and neither that nor any after it.
  /// - Parameters:
  ///   - own: the words by which causes name what it does not do.
  ///   - mayPass: what needs none of these steps.
  public static func stops(
    before step: SeamStep, _ role: AppRole, own: [String], mayPass: [String],
    _ reference: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) -> PartialEngine {
    PartialEngine("stops before it can \(step)", role, own: own, mayPass: mayPass) { configuration in
      FilteredEngine(reference(configuration)) { SeamStep($0).map { $0.rawValue < step.rawValue } ?? true }
    }
  }

  /// Never says one of the reports that its protocol has.
  public static func unsaid(
    _ report: String, _ role: AppRole,
    _ reference: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) -> PartialEngine {
    PartialEngine("does not report \(report)", role, own: [report], unsaid: report) { configuration in
      FilteredEngine(reference(configuration)) { effect in
        if case .report(let said) = effect { said.name != report } else { true }
      }
    }
  }
}

/// An engine of which some effects never come to the platform. What is sent and kept back is never answered.
private final class FilteredEngine: AppEngine {
  private let inner: any AppEngine
  private let passes: @Sendable (AppEffect) -> Bool

  init(_ inner: any AppEngine, passing passes: @escaping @Sendable (AppEffect) -> Bool) {
    self.inner = inner
    self.passes = passes
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { inner.handle(input, at: now).filter(passes) }
}
