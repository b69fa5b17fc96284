package import Bench

/// A flawed receiver that stands beside a device of a fuzzed world: it reads in the trace what the device gets, and
/// does something wrong with it. Bug benches plant one; nobody else does.
///
/// It ends the process or takes its memory where it breaks, and has its device send where it answers wrongly. Without a
/// deed of its own it changes nothing: the digest is that of the same run without it.
package protocol PlantedDefect: TraceReader {
  /// Gives it a way to have its device send at once; called once, before anything is played.
  func plant(sending: @escaping (TappedUnit) -> Void)
}
