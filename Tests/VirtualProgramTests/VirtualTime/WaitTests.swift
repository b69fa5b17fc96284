import Dispatch
import Expectations
import Foundation
import SimKernel
import Synchronization
import Testing
import VirtualTime

private final class Guarded: Sendable {
  let count = Mutex(0)
}

private final class Last: Sendable {
  let device: TimedDevice
  init(device: TimedDevice) { self.device = device }
  deinit {
    device.note("destroyed")
    DispatchQueue.main.async { [device] in device.note("never") }
  }
}

@Suite("Waits in virtual time")
struct WaitTests {
  @Test("A semaphore lets a background item wait for what the main queue does later")
  func semaphores() throws {
    let lines = try TimedDevice().run { device in
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue(label: "worker").async {
        device.note("waits")
        semaphore.wait()
        device.note("goes on")
        device.note("\(semaphore.wait(timeout: .now() + 5))")
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 3) { semaphore.signal() }
    }
    equal(lines, ["0 waits", "3000 goes on", "8000 timedOut"])
  }

  @Test("Sleeps leave the other queues running")
  func sleeps() throws {
    let lines = try TimedDevice().run { device in
      DispatchQueue.global().async {
        Thread.sleep(forTimeInterval: 2)
        device.note("slept")
        usleep(500)
        device.note("a little more")
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { device.note("meanwhile") }
    }
    equal(lines, ["1000 meanwhile", "2000 slept", "2000+500000 a little more"])
  }

  @Test("Iterations run in order")
  func iterations() throws {
    let lines = try TimedDevice().run { device in
      DispatchQueue.concurrentPerform(iterations: 3) { device.note("\($0)") }
    }
    equal(lines, ["0 0", "0 1", "0 2"])
  }

  @Test("A barrier of a concurrent queue waits for readers that sleep, and holds off later ones")
  func barriers() throws {
    let lines = try TimedDevice().run { device in
      let queue = DispatchQueue(label: "shared", attributes: .concurrent)
      queue.async {
        sleep(1)
        device.note("reader")
      }
      queue.async(execute: DispatchWorkItem(flags: .barrier) { device.note("writer") })
      queue.async { device.note("late reader") }
      queue.sync { device.note("sync") }
    }
    equal(lines, ["1000 reader", "1000 writer", "1000 late reader", "1000 sync"])
  }

  @Test("Locks, conditions and operations wait in virtual time")
  func locks() throws {
    let lines = try TimedDevice().run { device in
      let lock = NSLock()
      DispatchQueue(label: "holder").async {
        lock.lock()
        sleep(1)
        lock.unlock()
      }
      DispatchQueue(label: "waiter").async { lock.withLock { device.note("locked") } }
      let mutex = Guarded()
      DispatchQueue(label: "holder of a Mutex").async { mutex.count.withLock { $0 += Int(sleep(3)) } }
      DispatchQueue(label: "waiter for a Mutex").async { mutex.count.withLock { device.note("Mutex \($0)") } }
      let condition = NSCondition()
      DispatchQueue(label: "condition").async {
        condition.lock()
        condition.wait()
        device.note("signalled \(condition.wait(until: Date() + 4))")
        condition.unlock()
      }
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { condition.signal() }
      let operations = OperationQueue()
      operations.maxConcurrentOperationCount = 1
      for k in 0..<2 {
        operations.addOperation {
          sleep(10)
          device.note("operation \(k)")
        }
      }
      operations.addBarrierBlock { device.note("barrier") }
      DispatchQueue.global().async {
        operations.waitUntilAllOperationsAreFinished()
        device.note("all")
      }
    }
    equal(
      lines,
      [
        "1000 locked", "3000 Mutex 0", "6000 signalled false", "10000 operation 0", "20000 operation 1",
        "20000 barrier", "20000 all",
      ])
  }

  @Test("A main queue that waits is woken by a callback on another queue")
  func entrance() throws {
    var limits = VirtualProcessor.Limits()
    limits.mainMayWait = true
    let device = TimedDevice(limits: limits)
    let semaphore = DispatchSemaphore(value: 0)
    try device.processor.run(at: .zero) {
      semaphore.wait()
      device.note("answered")
    }
    try device.processor.run(at: .zero + .seconds(1)) { device.note("next") }
    equal(device.processor.waits, ["a semaphore wait on “com.apple.main-thread”"])
    try device.processor.run(at: .zero + .seconds(2), on: .globalQueue) { semaphore.signal() }
    equal(device.lines, ["2000 answered", "2000 next"])
  }

  @Test("What waits to run is released when the processor ends")
  func end() throws {
    weak var kept: TimedDevice?
    do {
      let device = TimedDevice()
      kept = device
      try device.processor.run(at: .zero) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { device.note("never") }
        let last = Last(device: device)
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { _ = last }
        let taken = DispatchSemaphore(value: 1)
        taken.wait()
        let group = DispatchGroup()
        group.enter()
        let inactive = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
        inactive.async(group: group) { device.note("never \(taken)") }
        let suspended = DispatchQueue(label: "suspended")
        suspended.suspend()
        group.notify(queue: suspended) { device.note("never") }
        RunLoop.main.perform { device.note("runs") }
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { withExtendedLifetime(timer) { device.note("never") } }
        timer.schedule(deadline: .now() + 1)
        timer.activate()
      }
      equal(device.processor.nextDue, .zero + .seconds(1))
      device.processor.end()
      equal(device.lines, ["0 runs", "0 destroyed"])
      #expect(throws: VirtualTimeProblem.ended) { try device.processor.run(at: .zero) }
    }
    expect(kept == nil)
  }
}
