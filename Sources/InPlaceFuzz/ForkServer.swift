import CFork

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lets children of this process play on from one state, some at a time.
///
/// The process must have no other thread: fork(2) copies only the one that calls it.
final class ForkServer {
  /// Where one child tells what it came to.
  private struct Desk {
    let memory: UnsafeMutableRawBufferPointer
    let crash: UnsafeMutablePointer<fork_crash>
    /// Takes what the child writes to its standard error.
    let errors: Int32
    var pid: Int32 = 0
    var number = 0
  }

  /// Octets of the memory besides what an execution is told in.
  private static let crashRoom = 64
  /// Octets of standard error that are kept, the last ones.
  private static let errorLimit = 4_096

  private let world: FuzzedWorld
  private var desks: [Desk] = []
  /// Asked between children; once true, no further one begins.
  private let shouldStop: () -> Bool

  /// - Parameter jobs: how many children at a time.
  /// - Throws: `FuzzObstacle` when the system has no room.
  init(_ world: FuzzedWorld, jobs: Int, shouldStop: @escaping () -> Bool) throws(FuzzObstacle) {
    self.world = world
    self.shouldStop = shouldStop
    fork_prepare()
    for _ in 0..<jobs {
      guard let memory = fork_shared(Execution.capacity + Self.crashRoom) else {
        throw .system("no memory can be shared with child processes")
      }
      let crash = (memory + Execution.capacity).bindMemory(to: fork_crash.self, capacity: 1)
      desks.append(
        Desk(
          memory: UnsafeMutableRawBufferPointer(start: memory, count: Execution.capacity), crash: crash,
          errors: fork_scratch()))
    }
  }

  /// Plays attacks, and gives what they came to in their order; nil for those that were not begun.
  func play(_ attacks: [Attack]) throws(FuzzObstacle) -> [Execution?] {
    var results: [Execution?] = Array(repeating: nil, count: attacks.count)
    var next = 0
    var running = 0
    while next < attacks.count || running > 0 {
      while next < attacks.count, !shouldStop(), let desk = desks.firstIndex(where: { $0.pid == 0 }) {
        try begin(attacks[next], next, at: desk)
        next += 1
        running += 1
      }
      if running == 0 { break }
      let ending = fork_wait()
      if ending.pid < 0 {
        if errno == EINTR { continue }
        throw .system("a child process was lost")
      }
      guard let desk = desks.firstIndex(where: { $0.pid == ending.pid }) else { continue }
      results[desks[desk].number] = result(of: desk, signal: ending.signal)
      desks[desk].pid = 0
      running -= 1
    }
    return results
  }

  private func begin(_ attack: Attack, _ number: Int, at desk: Int) throws(FuzzObstacle) {
    desks[desk].memory.storeBytes(of: 0, as: UInt64.self)
    desks[desk].crash.pointee = fork_crash()
    if desks[desk].errors >= 0, lseek(desks[desk].errors, 0, SEEK_CUR) > 0 {
      _ = ftruncate(desks[desk].errors, 0)
      _ = lseek(desks[desk].errors, 0, SEEK_SET)
    }
    let pid = fork_child()
    if pid == 0 {
      let plan = world.plan
      fork_guard(plan.patience, UInt64(plan.memory) << 20, desks[desk].crash, desks[desk].errors)
      world.play(attack).write(to: desks[desk].memory)
      fork_leave()
    }
    if pid < 0 { throw .system("no child process can be started: \(String(cString: strerror(errno)))") }
    desks[desk].pid = pid
    desks[desk].number = number
  }

  private func result(of desk: Int, signal: Int32) -> Execution {
    let desk = desks[desk]
    if signal == 0, let execution = Execution(reading: UnsafeRawBufferPointer(desk.memory)) { return execution }
    var execution = Execution()
    let isHang = signal == SIGALRM
    let said = lastError(desk.errors)
    let frame = desk.crash.pointee.offset == 0 ? "" : "0x" + String(desk.crash.pointee.offset, radix: 16)
    let cause = Execution.Cause(
      oracle: isHang ? "Hang" : "Crash", clause: isHang ? "" : "signal \(signal)", frame: isHang ? "" : frame)
    let text =
      isHang
      ? "no end within \(world.plan.patience) ms"
      : "the program ended with signal \(signal)" + (said.isEmpty ? "" : ": " + said)
    execution.findings = [Execution.Finding(cause: cause, text: text)]
    return execution
  }

  /// The first line of what a child wrote that says what was fatal, else its last one.
  private func lastError(_ errors: Int32) -> String {
    guard errors >= 0 else { return "" }
    let end = lseek(errors, 0, SEEK_END)
    let start = max(0, end - off_t(Self.errorLimit))
    var buffer = [UInt8](repeating: 0, count: Self.errorLimit)
    let count = pread(errors, &buffer, buffer.count, start)
    let lines = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    return String((lines.first { $0.contains("atal error") } ?? lines.last ?? "").prefix(300))
  }
}
