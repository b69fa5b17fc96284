public import Bench
public import SimKernel

/// Reads the records of one device, and takes the figures of its app.
///
/// An app whose meter it is says itself when it takes part and when it does not any more (`AppMilestone`): links and
/// the radio say nothing of that, the end of the app does.
public protocol AppMeter: AnyObject {
  /// Takes one record: an input, an effect, a report or a fault.
  /// - Parameter note: takes a sample of a figure, by its index in `AppMilestones.figures`.
  /// - Returns: what it says of the device; nil: nothing.
  func read(_ event: TraceEvent, at now: SimInstant, note: (_ figure: Int, _ value: Int64) -> Void) -> AppMilestone?

  /// The run is over: samples of the whole of it.
  func end(note: (_ figure: Int, _ value: Int64) -> Void)
}
