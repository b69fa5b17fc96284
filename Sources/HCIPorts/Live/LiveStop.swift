import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ends a live run from another thread, or from a signal.
public final class LiveStop: Sendable {
  /// A pipe: one octet in it wakes the loop, and writing it is one of the few things that a signal handler may do.
  private let readEnd: Int32
  private let writeEnd: Int32

  public init() {
    var ends: [Int32] = [-1, -1]
    // Without a descriptor left the run's own will fail too, and say so.
    _ = pipe(&ends)
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    readEnd = ends[0]
    writeEnd = ends[1]
    if writeEnd >= 0 { _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    _ = LiveStop.signalled.compareExchange(expected: writeEnd, desired: -1, ordering: .sequentiallyConsistent)
    if readEnd >= 0 { close(readEnd) }
    if writeEnd >= 0 { close(writeEnd) }
  }

  /// May be called from any thread and from a signal handler, any number of times; before the run too.
  public func stop() { LiveStop.poke(writeEnd) }

  /// From now on SIGINT, SIGTERM and SIGHUP stop this run instead of ending the process. The second one ends the
  /// process. A SIGHUP that is ignored stays so (nohup).
  public func stopOnSignals() {
    LiveStop.signalled.store(writeEnd, ordering: .sequentiallyConsistent)
    let numbers = [SIGINT, SIGTERM] + (LiveStop.isIgnored(SIGHUP) ? [] : [SIGHUP])
    for number in numbers {
      signal(number) { number in
        LiveStop.poke(LiveStop.signalled.load(ordering: .sequentiallyConsistent))
        signal(number, SIG_DFL)
      }
    }
    // The parent process may have left them blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Glibc)
      let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #else
      let handler = unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #endif
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// A descriptor of the run's own that becomes readable with the first `stop`; nil when there is none left.
  func makeDescriptor() -> Int32? {
    let copy = fcntl(readEnd, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  private static let signalled = Atomic<Int32>(-1)

  private static func poke(_ descriptor: Int32) {
    var octet: UInt8 = 1
    _ = write(descriptor, &octet, 1)
  }
}
