public import SimKernel

/// An app that leaves something with its phone when it ends (`AppConfiguration.memory` of the next launch).
public protocol RememberingEngine: AppEngine {
  /// What the phone keeps of the app, which ends now; nil: nothing. It is no event of the run: the app is told nothing,
  /// and the trace does not have it.
  func remember(at now: SimInstant) -> AppMemory?
}
