import Conformance
import Foundation
import Synchronization

/// Counts requests to end. The first one asks: the world that is running ends, its files are completed, no other one
/// starts. A program that keeps that world from its end is ended after a grace, and nothing is judged by it. The second
/// request is not asked again: programs that were started end with the bench.
package enum Interruption {
  /// 128 + SIGINT, as a shell reports it; of SIGTERM and SIGHUP too.
  package static let exitCode: Int32 = 130
  /// From the first request to the end of programs that were started, in seconds.
  private static let grace: UInt32 = 2

  /// What a command answers that would answer `code` if nobody had asked it to end.
  package static func exitCode(or code: Int32) -> Int32 { isRequested ? exitCode : code }

  private static let count = Atomic<Int>(0)
  /// Nothing is asked before this: nothing has begun that would have to be completed.
  private static let isAtWork = Atomic<Bool>(true)

  package static var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  /// Programs were ended because the grace was over: what was played with them since says nothing about them.
  package static var hasEndedPrograms: Bool { RunningPrograms.areEnded }

  /// The command has read what it needs, and looks at `isRequested` from now on.
  package static func workBegins() { isAtWork.store(true, ordering: .relaxed) }

  /// - Parameters:
  ///   - endsWaits: a read that waits for octets returns, so that the command gets to it whatever its input does.
  ///   - untilWork: the first request ends the program at once until `workBegins`: opening a file may wait without end,
  ///     for the other end of a named pipe or for a device.
  package static func install(endsWaits: Bool = false, untilWork: Bool = false) {
    // Whoever has the bench ignore the end of its terminal means it (nohup).
    let numbers = [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])
    _ = isRequested
    RunningPrograms.prepare()
    isAtWork.store(!untilWork, ordering: .relaxed)
    for number in numbers {
      var action = sigaction()
      let handler: @convention(c) (Int32) -> Void = { _ in
        let isFirst = Interruption.count.add(1, ordering: .relaxed).oldValue == 0
        if isFirst, Interruption.isAtWork.load(ordering: .relaxed) {
          alarm(Interruption.grace)
          return
        }
        RunningPrograms.killAll()
        let words: StaticString = "note: interrupted\n"
        _ = write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
        _exit(Interruption.exitCode)
      }
      set(handler, of: &action)
      action.sa_flags = endsWaits ? 0 : Int32(SA_RESTART)
      sigaction(number, &action, nil)
    }
    var action = sigaction()
    set({ _ in RunningPrograms.killAll() }, of: &action)
    action.sa_flags = Int32(SA_RESTART)
    sigaction(SIGALRM, &action, nil)
    // Whoever started us may have left the signals blocked.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers + [SIGALRM] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func set(_ handler: @escaping @convention(c) (Int32) -> Void, of action: inout sigaction) {
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
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
}

/// A command was ended before it had anything to judge.
package struct Interrupted: Error, CustomStringConvertible {
  package var description: String { "interrupted; its program was ended, and nothing was judged" }
  package init() {}
}
