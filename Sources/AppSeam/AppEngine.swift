public import SimKernel

/// An app as a sans-IO state machine: no task, callback, clock, random source or I/O inside.
///
/// The bench calls `handle` with one input at a time and performs the effects in order. An external implementation
/// under test is the same contract over a pipe.
public protocol AppEngine: AnyObject {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect]
  /// As above; the effects go to the end of a list, which whoever drives the engine uses again and again.
  func handle(_ input: AppInput, at now: SimInstant, into effects: Fifo<AppEffect>)
}

extension AppEngine {
  public func handle(_ input: AppInput, at now: SimInstant, into effects: Fifo<AppEffect>) {
    for effect in handle(input, at: now) { effects.append(effect) }
  }
}
