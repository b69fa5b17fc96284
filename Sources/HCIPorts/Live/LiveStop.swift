/// Ends a live run from another thread, or from a signal.
public final class LiveStop: Sendable {
  public init() {}

  /// May be called from any thread and from a signal handler, any number of times; before the run too.
  public func stop() {}

  /// From now on SIGINT and SIGTERM stop this run instead of ending the process. The second one ends the process.
  public func stopOnSignals() {}
}
