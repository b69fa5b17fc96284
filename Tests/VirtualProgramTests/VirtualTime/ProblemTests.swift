import Dispatch
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualTime

@Suite("Devices that cannot go on are named, and do not hang")
struct ProblemTests {
  private func problem(
    _ limits: VirtualProcessor.Limits = .init(), _ program: @escaping (TimedDevice) -> Void
  ) throws -> VirtualTimeProblem? {
    let device = TimedDevice(limits: limits)
    #expect(throws: VirtualTimeProblem.self) { try device.run(program) }
    #expect(throws: try required(device.processor.problem)) { try device.processor.run(at: device.processor.now) {} }
    return device.processor.problem
  }

  @Test("sync onto the own queue")
  func selfDeadlock() throws {
    let found = try problem { _ in DispatchQueue.main.sync {} }
    equal(found, .deadlock(queue: "com.apple.main-thread", runningOn: "com.apple.main-thread"))
  }

  @Test("Two queues that wait for each other")
  func mutualDeadlock() throws {
    let found = try problem { _ in
      let a = DispatchQueue(label: "a")
      let b = DispatchQueue(label: "b")
      a.async {
        sleep(1)
        b.sync {}
      }
      b.async {
        sleep(2)
        a.sync {}
      }
    }
    equal(found, .deadlock(queue: "a", runningOn: "b"))
  }

  @Test("A sync onto the target of the own queue")
  func targetDeadlock() throws {
    let found = try problem { _ in
      let target = DispatchQueue(label: "target")
      let queue = DispatchQueue(label: "queue", target: target)
      queue.async { target.sync {} }
    }
    equal(found, .deadlock(queue: "target", runningOn: "queue"))
  }

  @Test("A semaphore that nobody signals, on the main queue")
  func semaphore() throws {
    let found = try problem { _ in DispatchSemaphore(value: 0).wait() }
    equal(found, .waitsForever("a semaphore wait on “com.apple.main-thread”"))
  }

  @Test("A semaphore that nobody signals, on another queue, is listed")
  func backgroundSemaphore() throws {
    let device = TimedDevice()
    try device.run { device in
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue(label: "worker").async {
        semaphore.wait()
        device.note("signalled")
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { _ = semaphore }
    }
    equal(device.processor.waits, ["a semaphore wait on “worker”"])
    equal(device.lines, [])
  }

  @Test("A queue that submits to itself forever")
  func neverRests() throws {
    @Sendable func again(_ queue: DispatchQueue) { queue.async { again(queue) } }
    var limits = VirtualProcessor.Limits()
    limits.itemsPerMillisecond = 1000
    let found = try problem(limits) { _ in again(DispatchQueue(label: "busy")) }
    equal(found, .neverRests(queue: "busy", items: 1000, at: .zero))
  }

  @Test("An item that submits others forever")
  func submitsForever() throws {
    var limits = VirtualProcessor.Limits()
    limits.itemsPerMillisecond = 1000
    let found = try problem(limits) { _ in
      DispatchQueue(label: "submitter").async { while true { DispatchQueue.main.async {} } }
    }
    equal(found, .neverRests(queue: "submitter", items: 1000, at: .zero))
  }

  @Test("A timer without an interval")
  func timerStorm() throws {
    var limits = VirtualProcessor.Limits()
    limits.itemsPerMillisecond = 1000
    let found = try problem(limits) { _ in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "storm"))
      timer.schedule(deadline: .now(), repeating: .nanoseconds(0))
      timer.setEventHandler { withExtendedLifetime(timer) {} }
      timer.resume()
    }
    guard case .neverRests("storm", 1000, _) = found else { return expect(false, "\(String(describing: found))") }
  }

  @Test("A task that yields forever")
  func yields() throws {
    var limits = VirtualProcessor.Limits()
    limits.itemsPerMillisecond = 1000
    let found = try problem(limits) { _ in Task { while true { await Task.yield() } } }
    guard case .neverRests(_, 1000, .zero) = found else { return expect(false, "\(String(describing: found))") }
  }

  @Test("An item that spins")
  func spins() throws {
    var limits = VirtualProcessor.Limits()
    limits.tenthsPerItem = 2
    let found = try problem(limits) { device in
      DispatchQueue(label: "spinner").async {
        var x: UInt64 = 1
        // An odd number, so never 2.
        while true {
          x = x &* 6_364_136_223_846_793_005 | 1
          if x == 2 { device.note("never") }
        }
      }
    }
    equal(found, .spins(queue: "spinner"))
  }

  @Test("An item that spins and allocates")
  func spinsInLibraries() throws {
    var limits = VirtualProcessor.Limits()
    limits.tenthsPerItem = 2
    let found = try problem(limits) { _ in
      DispatchQueue(label: "allocator").async {
        let end = Date() + 1
        while Date() < end { _ = "\(UUID())" }
      }
    }
    equal(found, .spins(queue: "allocator"))
    equal(Array(repeating: 7, count: 1000).count, 1000)
  }

  @Test("A lock that its own item holds")
  func locks() throws {
    let found = try problem { _ in
      let lock = NSLock()
      lock.lock()
      lock.lock()
    }
    equal(found, .waitsForever("a lock on “com.apple.main-thread”"))
  }

  @Test("A precondition that fails")
  func precondition() throws {
    let found = try problem { _ in
      DispatchQueue(label: "side").async { dispatchPrecondition(condition: .onQueue(.main)) }
    }
    equal(found, .wrongQueue(expected: "com.apple.main-thread", runningOn: "side"))
    let other = try problem { _ in dispatchPrecondition(condition: .notOnQueue(.main)) }
    equal(other, .forbiddenQueue("com.apple.main-thread"))
  }

  @Test("Threads and sockets are remarked")
  func remarks() throws {
    let device = TimedDevice()
    try device.run { _ in
      DispatchQueue(label: "net").async { close(socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)) }
      Thread.detachNewThread {}
    }
    let remarks = device.processor.remarks.filter { !$0.contains("Hasher") }
    equal(remarks, ["pthread_create on “com.apple.main-thread”", "socket on “net”"])
  }

  @Test("A processor inside a processor")
  func nested() throws {
    var found: VirtualTimeProblem?
    try TimedDevice().run { _ in
      do throws(VirtualTimeProblem) { try VirtualProcessor().run(at: .zero) } catch { found = error }
    }
    equal(found, .nested)
  }
}
