import AppSeam
import Conformance
import Judging
import SimKernel

/// An engine that breaks down as a program does: what it holds grows beyond what it may, or it stops.
final class FallingEngine: FallibleEngine {
  private let inner: any AppEngine
  /// What goes wrong with an input; nil: nothing.
  private let falls: (AppInput) -> IUTFailure?
  private(set) var failure: IUTFailure?

  init(_ inner: any AppEngine, falls: @escaping (AppInput) -> IUTFailure?) {
    self.inner = inner
    self.falls = falls
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    if failure != nil { return [] }
    failure = falls(input)
    return failure == nil ? inner.handle(input, at: now) : []
  }

  func close() {}
}
