import CUnix
import Foundation

/// What the children of a `ForkServer` do. Each child has the stage as it was when the child was made.
package protocol ForkStage: AnyObject {
  /// How long an order may take, wall-clock milliseconds.
  var patience: UInt32 { get }
  /// By how much a child may grow, mebibytes; 0: as much as it likes.
  var room: Int { get }
  /// Carries out the order in the memory, and writes over it what that came to; called in a child.
  func play(in memory: UnsafeMutableRawBufferPointer)
}

/// Lets children of this process play on from one state, some at a time.
///
/// A child plays one execution after the other: it puts its memory back after each, which costs far less than another
/// child. One that is ended, or has grown, is followed by a new one.
///
/// The process must have no other thread: fork(2) copies only the one that calls it.
package final class ForkServer {
  /// Where one child is told what to play, and tells what it came to.
  private final class WorkerSlot {
    let memory: UnsafeMutableRawBufferPointer
    let crash: UnsafeMutablePointer<fork_crash>
    /// Takes what the child writes to its standard error.
    let errors: Int32
    let stage: any ForkStage
    /// 0: it has no child.
    var pid: Int32 = 0
    var socket: Int32 = -1
    /// Which of the orders is carried out; nil: none.
    var number: Int?
    /// The peak of the resident memory when the child began, kibibytes.
    var peak: Int64 = 0

    init(_ stage: any ForkStage) throws(FuzzObstacle) {
      guard let memory = fork_shared(ForkServer.capacity + ForkServer.crashRoom) else {
        throw .system("no memory can be shared with child processes")
      }
      self.memory = UnsafeMutableRawBufferPointer(start: memory, count: ForkServer.capacity)
      crash = (memory + ForkServer.capacity).bindMemory(to: fork_crash.self, capacity: 1)
      errors = fork_scratch()
      self.stage = stage
    }

    /// What a child does.
    func play() { stage.play(in: memory) }
  }

  /// Octets of the memory in which an order and what it came to are told.
  package static let capacity = 1 << 18
  /// Octets of the memory besides what an execution is told in.
  private static let crashRoom = 64
  /// Octets of standard error that are kept, the last ones.
  private static let errorLimit = 4_096

  private let stage: any ForkStage
  private let slots: [WorkerSlot]
  /// Asked between executions; once true, no further one begins.
  private let shouldStop: () -> Bool
  /// Every execution has a child of its own.
  private let renews: Bool
  /// Octets by which a child may grow; 0: as much as it likes.
  private var allowed: UInt64 { UInt64(stage.room) << 20 }

  /// Must be called before the world is made whose memory is to be put back.
  package static func prepare() { fork_prepare() }

  /// - Parameter jobs: how many children at a time.
  /// - Throws: `FuzzObstacle` when the system has no room.
  package init(
    _ stage: any ForkStage, jobs: Int, renews: Bool, shouldStop: @escaping () -> Bool
  ) throws(FuzzObstacle) {
    self.stage = stage
    self.shouldStop = shouldStop
    self.renews = renews
    var slots: [WorkerSlot] = []
    for _ in 0..<jobs { slots.append(try WorkerSlot(stage)) }
    self.slots = slots
  }

  deinit { dismiss() }

  /// Ends all children; the next ones begin with what this process has come to by then.
  package func dismiss() {
    for slot in slots where slot.pid > 0 { leave(slot) }
  }

  /// Lets children carry out orders, and gives what they came to in their order; nil for those that were not begun.
  /// - Parameters:
  ///   - order: writes one for a child.
  ///   - answer: reads what a child wrote; nil: it did not get to its end.
  ///   - ended: what it came to where the child ended, and how that was.
  package func play<Answer>(
    _ count: Int, order: (Int, UnsafeMutableRawBufferPointer) -> Void, answer: (UnsafeRawBufferPointer) -> Answer?,
    ended: (Execution.Finding) -> Answer
  ) throws(FuzzObstacle) -> [Answer?] {
    var results: [Answer?] = Array(repeating: nil, count: count)
    var next = 0
    while true {
      while next < count, !shouldStop(), let slot = slots.first(where: { $0.number == nil }) {
        order(next, slot.memory)
        try begin(next, at: slot)
        next += 1
      }
      let busy = slots.filter { $0.number != nil }
      if busy.isEmpty { return results }
      for slot in try ready(busy) {
        guard let number = slot.number else { continue }
        let end = ending(of: slot)
        results[number] = (end.signal == 0 ? answer(UnsafeRawBufferPointer(slot.memory)) : nil) ?? ended(finding(end))
        slot.number = nil
      }
    }
  }

  private func begin(_ number: Int, at slot: WorkerSlot) throws(FuzzObstacle) {
    slot.crash.pointee = fork_crash()
    if slot.errors >= 0, lseek(slot.errors, 0, SEEK_CUR) > 0 {
      _ = ftruncate(slot.errors, 0)
      _ = lseek(slot.errors, 0, SEEK_SET)
    }
    if slot.pid == 0 { try startChild(in: slot) }
    var word: UInt8 = 0
    // A child that is gone is found when its answer is waited for.
    _ = write(slot.socket, &word, 1)
    slot.number = number
  }

  /// Makes a child.
  private func startChild(in slot: WorkerSlot) throws(FuzzObstacle) {
    var theirs: Int32 = -1
    guard fork_sockets(&slot.socket, &theirs) != 0 else {
      throw .system("no child process can be spoken to: \(String(cString: strerror(errno)))")
    }
    let context = Unmanaged.passUnretained(slot).toOpaque()
    let pid = fork_child()
    if pid == 0 {
      for other in slots where other.socket >= 0 { close(other.socket) }
      fork_guard(allowed, slot.crash, slot.errors)
      fork_serve(
        theirs, stage.patience, renews ? 1 : 0,
        { context in
          guard let context else { return }
          Unmanaged<WorkerSlot>.fromOpaque(context).takeUnretainedValue().play()
        }, context)
    }
    close(theirs)
    if pid < 0 { throw .system("no child process can be started: \(String(cString: strerror(errno)))") }
    slot.pid = pid
    slot.peak = fork_peak()
  }

  /// Waits until some have answered, or are gone.
  private func ready(_ slots: [WorkerSlot]) throws(FuzzObstacle) -> [WorkerSlot] {
    var descriptors = slots.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
    while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
      if errno != EINTR { throw .system("a child process was lost") }
    }
    return zip(slots, descriptors).filter { $0.1.revents != 0 }.map(\.0)
  }

  /// How a child came to the end of an order.
  private struct Ending {
    var slot: WorkerSlot
    /// 0: it has answered.
    var signal: Int32
    /// It had grown beyond what it may before a signal ended it.
    var isTooLarge = false
  }

  private func ending(of slot: WorkerSlot) -> Ending {
    var word: UInt8 = 0
    let hasAnswered = read(slot.socket, &word, 1) == 1
    if hasAnswered, word == UInt8(fork_stays) { return Ending(slot: slot, signal: 0) }
    let ending = leave(slot)
    let growth = ending.peak - slot.peak
    // The system may take pages away meanwhile; what was reserved counts then.
    let isFull = slot.crash.pointee.signal != 0 && slot.crash.pointee.room < allowed / 4
    let isTooLarge = allowed > 0 && (isFull || growth > Int64(allowed >> 10))
    return Ending(slot: slot, signal: ending.signal, isTooLarge: isTooLarge)
  }

  /// Waits until a child has ended.
  @discardableResult
  private func leave(_ slot: WorkerSlot) -> fork_ending {
    // Children of other servers may have copies of this end.
    shutdown(slot.socket, Int32(SHUT_RDWR))
    close(slot.socket)
    defer { (slot.pid, slot.socket) = (0, -1) }
    return fork_wait(slot.pid)
  }

  private func finding(_ ending: Ending) -> Execution.Finding {
    if ending.signal == SIGALRM {
      return Execution.Finding(Execution.Cause.hang, text: "no end within \(stage.patience) ms")
    }
    if ending.isTooLarge {
      // Where it asked for the octets that were too many differs from run to run.
      return Execution.Finding(
        Execution.Cause.memory, text: "the program grew by more than \(stage.room) MiB, and had no more")
    }
    let said = lastError(ending.slot.errors)
    let offset = ending.slot.crash.pointee.offset
    return Execution.Finding(
      Execution.Cause.crash, clause: "signal \(ending.signal)",
      frame: offset == 0 ? "" : "0x" + String(offset, radix: 16),
      text: "the program ended with signal \(ending.signal)" + (said.isEmpty ? "" : ": " + said))
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
