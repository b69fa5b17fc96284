import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Counts SIGINTs. The first one asks: the world that is running ends, its files are completed, no other one starts.
/// The second one is not asked again.
enum Interruption {
  /// 128 + SIGINT, as a shell reports it.
  static let exitCode: Int32 = 130

  private static let count = Atomic<Int>(0)

  static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  static func install() {
    _ = isRequested
    signal(SIGINT) { _ in
      if Interruption.count.add(1, ordering: .relaxed).oldValue > 0 { _exit(Interruption.exitCode) }
    }
    // Whoever started us may have left the signal blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
