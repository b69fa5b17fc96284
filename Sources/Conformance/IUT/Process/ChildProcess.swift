package import Bench
import Foundation
import SimKernel
import Synchronization

/// A program in a process group of its own, its three standard streams on pipes.
///
/// Synchronous and on one thread: whoever waits for an answer also drains standard error and sees to it that neither
/// side can block the other. Why not a library: Docs/Decisions/0010-own-process-start.md.
package final class ChildProcess {
  /// How a program came to its end.
  package enum Ending: Hashable {
    case exitCode(Int32)
    case signal(Int32)
    /// Somebody else in this process has collected it.
    case unknown
  }

  package enum Event: Hashable {
    /// Octets have come on standard output, or room to write.
    case progress
    /// Standard output is closed, or the program has ended: nothing more will come.
    case ended
    /// Nothing happened for this slice of time.
    case quiet
  }

  package struct StartProblem: Error {
    package var detail: String
  }

  package let pid: Int32
  /// −1 once closed.
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  private(set) var isReaped = false
  package private(set) var ending: Ending?
  /// What has come on standard output and nobody has taken.
  private(set) var received: [UInt8] = []
  /// Octets at the front of `received` that have been taken, and how far the search for a line end has come.
  private var taken = 0
  private var searched = 0
  package private(set) var log: LogTail
  /// The other side has closed its standard input.
  package private(set) var inputIsBroken = false
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)

  /// A descriptor made between `pipe` and `fcntl` of one thread would be inherited by what another starts.
  private static let startLock = Mutex<Void>(())

  /// - Throws: when the system gives no pipe or no process. A command that does not exist shows as exit code 127.
  package init(_ launch: ProgramLaunch, logOctets: Int) throws(StartProblem) {
    log = LogTail(limit: logOctets)
    var started: (pid: pid_t, streams: [Int32])?
    var problem = StartProblem(detail: "")
    Self.startLock.withLock { _ in
      switch Self.start(launch) {
      case .success(let child): started = child
      case .failure(let failure): problem = failure
      }
    }
    guard let started else { throw problem }
    pid = started.pid
    RunningPrograms.add(pid)
    input = started.streams[0]
    output = started.streams[1]
    errors = started.streams[2]
  }

  deinit {
    kill()
    closeStreams()
  }

  // MARK: Start

  private static func start(_ launch: ProgramLaunch) -> Result<(pid: pid_t, streams: [Int32]), StartProblem> {
    var ours: [Int32] = []
    var theirs: [Int32] = []
    defer { for descriptor in theirs { close(descriptor) } }
    for stream in 0..<3 {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        let text = errorText(errno)
        for descriptor in ours { close(descriptor) }
        return .failure(StartProblem(detail: "no pipe: \(text)"))
      }
      for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      ours.append(stream == 0 ? ends[1] : ends[0])
      theirs.append(stream == 0 ? ends[0] : ends[1])
    }
    for descriptor in ours { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
    #if canImport(Darwin)
      _ = fcntl(ours[0], F_SETNOSIGPIPE, 1)
    #endif
    var pid: pid_t = 0
    let status = spawn(&pid, launch, theirs)
    guard status == 0 else {
      for descriptor in ours { close(descriptor) }
      return .failure(StartProblem(detail: "no process: \(errorText(status))"))
    }
    return .success((pid, ours))
  }

  /// Those of this process; none where the system does not tell, and closes them by itself.
  private static func openDescriptors() -> [Int32] {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 } }
      if let descriptor = Int32(String(decoding: name, as: UTF8.self)) { found.append(descriptor) }
    }
    return found
  }

  /// A shell has the last word where the system cannot start the program in its directory: what a shell says of that,
  /// and its exit code (127: not there, 126: not executable), is what people know.
  private static func spawn(_ pid: inout pid_t, _ launch: ProgramLaunch, _ streams: [Int32]) -> Int32 {
    if let program = launch.program,
      spawn(&pid, program, launch.command, launch.environmentThere, streams, directory: launch.directory) == 0
    {
      return 0
    }
    let script = "cd -- \"$1\" && shift && exec \"$@\""
    let words = ["/bin/sh", "-c", script, "sh", launch.directory] + launch.command
    return spawn(&pid, "/bin/sh", words, launch.environment, streams)
  }

  private static func spawn(
    _ pid: inout pid_t, _ program: String, _ words: [String], _ variables: [String], _ streams: [Int32],
    directory: String? = nil
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (stream, descriptor) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(stream))
    }
    // It must not hold a port of the bench open that the bench itself has left. To close what is closed is no error.
    for descriptor in openDescriptors() where descriptor >= streams.count {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    if let directory {
      guard let addDirectory, addDirectory(&actions, directory) == 0 else { return ENOSYS }
    }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setpgroup(&attributes, 0)
    var flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    return posix_spawn(&pid, program, &actions, &attributes, &arguments, &environment)
  }

  #if canImport(Darwin)
    /// There the program is looked for before the directory changes, so that a shell does both.
    private static let addDirectory:
      (@Sendable @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t?>, UnsafePointer<CChar>) -> Int32)? =
        nil
  #else
    private typealias AddDirectory =
      @Sendable @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32
    /// glibc has it from 2.29 on, and its headers do not show it to Swift.
    private static let addDirectory: AddDirectory? =
      dlsym(nil, "posix_spawn_file_actions_addchdir_np").map { unsafeBitCast($0, to: AddDirectory.self) }
  #endif

  static func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

  // MARK: Streams

  /// Milliseconds of a clock that only goes forward.
  package static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Writes as much as the pipe takes now, and says how much that was.
  package func write(_ octets: ArraySlice<UInt8>) -> Int {
    guard input >= 0, !inputIsBroken else { return 0 }
    let count = octets.withUnsafeBytes { Self.writeWithoutSignal(input, $0) }
    if count < 0 {
      if count == -1 { inputIsBroken = true }
      return 0
    }
    return count
  }

  /// The count; −1 when nobody reads any more, −2 when there is no room now. Never raises SIGPIPE.
  private static func writeWithoutSignal(_ descriptor: Int32, _ octets: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      let count = Darwin.write(descriptor, octets.baseAddress, octets.count)
      let code = errno
    #else
      var pipeSignal = sigset_t()
      var before = sigset_t()
      sigemptyset(&pipeSignal)
      sigaddset(&pipeSignal, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
      let count = Glibc.write(descriptor, octets.baseAddress, octets.count)
      let code = errno
      if count < 0, code == EPIPE {
        var atOnce = timespec()
        sigtimedwait(&pipeSignal, nil, &atOnce)
      }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    #endif
    if count >= 0 { return count }
    return code == EAGAIN || code == EINTR ? -2 : -1
  }

  package func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Waits for something to happen, at most so long, and takes over what has come.
  package func wait(milliseconds: Int, toWrite: Bool) -> Event {
    var sets = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: toWrite && !inputIsBroken ? input : -1, events: Int16(POLLOUT), revents: 0),
    ]
    let ready = poll(&sets, 3, Int32(clamping: max(0, milliseconds)))
    if ready > 0 {
      if sets[1].revents != 0 { drainErrors() }
      if sets[0].revents != 0 { return drainOutput() ? .progress : .ended }
      return .progress
    }
    // The pipe of a program that has ended may be held open by another that it has started.
    guard hasEnded() else { return .quiet }
    drainErrors()
    return drainOutput() && newLine() ? .progress : .ended
  }

  /// Reads once; false at the end of the stream.
  private func drainOutput() -> Bool {
    guard output >= 0 else { return false }
    let count = chunk.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
    if count > 0 { received.append(contentsOf: chunk[..<count]) }
    if count < 0, errno == EAGAIN || errno == EINTR { return true }
    if count > 0 { return true }
    // Closed here too, so that waiting for the program's end does not wake for it again and again.
    close(output)
    output = -1
    return false
  }

  /// Takes over what has come on standard output, and says whether it may be more: somebody has it open.
  package func outputIsHeld() -> Bool {
    // Bounded, as in `drainErrors`.
    for _ in 0..<16 where output >= 0 {
      let before = received.count
      if drainOutput(), received.count == before { return true }
    }
    return output >= 0
  }

  /// What comes on standard error from now on has this instant; without one, that of the last answer.
  func takesOver(at instant: SimInstant? = nil, isAfterAnswers: Bool = false) {
    if let instant { log.instant = instant }
    log.isAfterAnswers = isAfterAnswers
  }

  private func drainErrors() {
    // Bounded: a flood must not keep the bench from its limits.
    for _ in 0..<16 where errors >= 0 {
      let count = chunk.withUnsafeMutableBytes { read(errors, $0.baseAddress, $0.count) }
      if count > 0 { log.append(chunk[..<count]) }
      if count == 0 {
        close(errors)
        errors = -1
      }
      if count < chunk.count { return }
    }
  }

  /// Whether nothing has come that nobody has taken; looks, and does not wait. An end shows when it is waited for.
  package func isQuiet() -> Bool {
    if output >= 0 {
      let count = chunk.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
      if count > 0 { received.append(contentsOf: chunk[..<count]) }
    }
    return pending.isEmpty
  }

  /// Octets that came and were not taken.
  package var pending: ArraySlice<UInt8> { received[taken...] }

  private func newLine() -> Bool {
    guard searched < received.count else { return false }
    let place = received.withUnsafeBytes { octets -> Int? in
      guard let base = octets.baseAddress else { return nil }
      return memchr(base + searched, 0x0A, octets.count - searched).map { UnsafeRawPointer($0) - base }
    }
    searched = place ?? received.count
    return place != nil
  }

  /// The next whole line without its end; nil when none is there yet.
  package func takeLine() -> [UInt8]? {
    guard newLine() else { return nil }
    var line = received[taken..<searched]
    if line.last == 0x0D { line.removeLast() }
    let result = Array(line)
    searched += 1
    taken = searched
    if taken == received.count {
      received.removeAll(keepingCapacity: true)
      taken = 0
      searched = 0
    }
    return result
  }

  // MARK: End

  /// Whether the program itself has ended; what it has started may go on.
  package func hasEnded() -> Bool {
    if isReaped { return true }
    var info = siginfo_t()
    let status = waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT)
    if status == 0 { return info.si_signo == SIGCHLD }
    return errno == ECHILD
  }

  /// Ends the whole process group, and waits for the program's own end. It leaves no zombie.
  package func kill() {
    if isReaped { return }
    // Before it is collected: its number cannot be anybody else's yet.
    let endedByItself = hasEnded()
    _ = killpg(pid, SIGKILL)
    RunningPrograms.remove(pid)
    isReaped = true
    var status: Int32 = 0
    var result: pid_t
    repeat { result = waitpid(pid, &status, 0) } while result < 0 && errno == EINTR
    guard endedByItself else { return }
    if result != pid {
      ending = .unknown
    } else if status & 0x7F == 0 {
      ending = .exitCode(status >> 8 & 0xFF)
    } else {
      ending = .signal(status & 0x7F)
    }
  }

  /// Takes over what is still in the pipes, and closes them.
  package func closeStreams() {
    closeInput()
    drainErrors()
    if output >= 0 { close(output) }
    if errors >= 0 { close(errors) }
    output = -1
    errors = -1
  }
}
