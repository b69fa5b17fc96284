public import SimKernel

/// An app as a sans-IO state machine: no task, callback, clock, random source or I/O inside.
///
/// The bench calls `handle` with one input at a time and performs the effects in order. An external implementation
/// under test is the same contract over a pipe.
public protocol AppEngine: AnyObject {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect]
}
