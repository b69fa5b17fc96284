import CUnix
package import Conformance
import Foundation
import Judging

/// One attack once more, in a world of its own that is captured.
///
/// It is played from the beginning in a child process, because the attack may end whoever plays it. Where it does, it
/// is played twice: the first time says how far it comes, and the second one completes the file there.
package struct CapturedAttack {
  private let plan: FuzzPlan
  private let protocols: [AppProtocol]
  private let attack: Attack
  private let finding: Execution.Finding?

  /// - Parameter finding: what it brings to light; nil: nothing that is known.
  package init(_ attack: Attack, _ finding: Execution.Finding?, of plan: FuzzPlan, protocols: [AppProtocol]) {
    self.plan = plan
    self.protocols = protocols
    self.attack = attack
    self.finding = finding
  }

  /// How much of the execution is in the file.
  package enum Extent: Hashable {
    case all(digest: String)
    /// Up to where the attack ended the program.
    case upToTheEnd
    /// It did not end the program at the same place again.
    case nothing
  }

  /// Writes the capture.
  /// - Throws: `FuzzObstacle`, and what keeps the file from being written.
  package func write(to path: String) throws -> Extent {
    let first = try play(path, limit: nil)
    return first.extent == .nothing ? try play(path, limit: first.records).extent : first.extent
  }

  /// What a child tells of its file.
  private enum Ending: UInt64 {
    case none, complete, failed
  }

  private func play(_ path: String, limit: UInt64?) throws -> (extent: Extent, records: UInt64) {
    let room = 128
    guard let shared = fork_shared(ForkServer.capacity + room) else {
      throw FuzzObstacle.system("no memory can be shared with child processes")
    }
    defer { munmap(shared, ForkServer.capacity + room) }
    let memory = UnsafeMutableRawBufferPointer(start: shared + room, count: ForkServer.capacity)
    let words = shared.bindMemory(to: UInt64.self, capacity: 2)
    let crash = (shared + 64).bindMemory(to: fork_crash.self, capacity: 1)
    let capture = try MarkedCapture(plan, attack, path: path, count: words, limit: limit)
    // A program under test belongs to the process that starts it.
    let world = plan.programs.isEmpty ? try FuzzedWorld(plan, protocols: protocols, readers: [capture]) : nil
    let errors = fork_scratch()
    defer { if errors >= 0 { close(errors) } }
    let pid = fork_child()
    if pid == 0 {
      fork_guard(world == nil ? 0 : UInt64(plan.memory) << 20, crash, errors)
      let remade = world == nil ? try? FuzzedWorld(plan, protocols: protocols, readers: [capture]) : nil
      fork_limit(plan.patience)
      if let world = world ?? remade { play(world, capture, tell: words + 1, memory) }
      _exit(0)
    }
    if pid < 0 { throw FuzzObstacle.system("no child process can be started") }
    _ = fork_wait(pid)
    let digest = Execution(reading: UnsafeRawBufferPointer(memory))?.digest
    switch Ending(rawValue: words[1]) {
    case .complete: return (digest.map { .all(digest: $0) } ?? .upToTheEnd, words[0])
    case .failed:
      var reader = SharedMemoryReader(memory: UnsafeRawBufferPointer(memory), place: 8)
      throw FuzzObstacle.system(reader.text())
    case .none?, nil: return (.nothing, words[0])
    }
  }

  private func play(
    _ world: FuzzedWorld, _ capture: MarkedCapture, tell: UnsafeMutablePointer<UInt64>,
    _ memory: UnsafeMutableRawBufferPointer
  ) {
    func complete(_ finding: Execution.Finding?, _ digest: String?) {
      do {
        try capture.complete(finding, digest: digest)
        tell.pointee = Ending.complete.rawValue
      } catch {
        var writer = SharedMemoryWriter(memory: memory, place: 8)
        writer.text("\(error)")
        tell.pointee = Ending.failed.rawValue
        _exit(0)
      }
    }
    capture.hasBreakdown = { world.hasBreakdown }
    capture.isAtLimit = {
      complete(finding, nil)
      _exit(0)
    }
    world.watch { capture.note($0, $1) }
    capture.turn()
    let execution = world.play(attack)
    complete(execution.findings.first { $0.cause == finding?.cause } ?? finding, execution.digest)
    execution.write(to: memory)
  }
}
