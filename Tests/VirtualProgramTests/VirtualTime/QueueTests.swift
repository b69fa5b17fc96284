import Dispatch
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualTime

@Suite("Dispatch queues in virtual time")
struct QueueTests {
  @Test("Items start in the order in which they were submitted")
  func order() throws {
    let lines = try TimedDevice().run { device in
      let a = DispatchQueue(label: "a")
      let b = DispatchQueue(label: "b", attributes: .concurrent)
      for k in 0..<2 {
        a.async { device.note("a\(k)") }
        b.async { device.note("b\(k)") }
        DispatchQueue.main.async { device.note("m\(k)") }
        DispatchQueue.global(qos: .background).async { device.note("g\(k)") }
      }
      b.async(flags: .barrier) { device.note("barrier") }
      a.sync { device.note("sync") }
      device.note("after")
    }
    equal(
      lines.map { String($0.dropFirst(2)) },
      ["a0", "b0", "g0", "a1", "b1", "g1", "barrier", "sync", "after", "m0", "m1"])
  }

  @Test("A delay is exact to the nanosecond")
  func delays() throws {
    let lines = try TimedDevice().run { device in
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(1)) { device.note("one") }
      DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(30)) { device.note("thirty") }
      DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(2)) { device.note("wall") }
      DispatchQueue.main.asyncAfter(deadline: .distantFuture) { device.note("never") }
      DispatchQueue.main.asyncAfter(deadline: .now() - 5) { device.note("past") }
    }
    equal(lines, ["0 past", "0+1 one", "2 wall", "30000 thirty"])
  }

  @Test("The next instant is known, and what is due is run by the caller's steps")
  func steps() throws {
    let device = TimedDevice()
    try device.processor.run(at: .zero) {
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { device.note("one") }
      Task {
        try? await Task.sleep(for: .seconds(2))
        device.note("two")
      }
    }
    equal(device.processor.nextDue, .zero + .seconds(1))
    try device.run(milliseconds: 999)
    equal(device.lines, [])
    try device.run(milliseconds: 1000)
    equal(device.processor.nextDue, .zero + .seconds(2))
    try device.run(milliseconds: 5000)
    equal(device.lines, ["1000 one", "2000 two"])
    expect(device.processor.nextDue == nil)
    #expect(throws: VirtualTimeProblem.runsBack(from: .zero + .seconds(5), to: .zero)) {
      try device.processor.run(at: .zero)
    }
  }

  @Test("Values of queues and preconditions know the current queue")
  func current() throws {
    let lines = try TimedDevice().run { device in
      let key = DispatchSpecificKey<String>()
      let target = DispatchQueue(label: "target")
      target.setSpecific(key: key, value: "value")
      let queue = DispatchQueue(label: "queue", target: target)
      queue.async {
        dispatchPrecondition(condition: .onQueue(queue))
        dispatchPrecondition(condition: .onQueue(target))
        dispatchPrecondition(condition: .notOnQueue(.main))
        device.note(DispatchQueue.getSpecific(key: key) ?? "-")
      }
      DispatchQueue.global().async { device.note(DispatchQueue.getSpecific(key: key) ?? "-") }
    }
    equal(lines, ["0 value", "0 -"])
  }

  @Test("Queues that are suspended or inactive wait")
  func suspension() throws {
    let lines = try TimedDevice().run { device in
      let lazy = DispatchQueue(label: "lazy", qos: .utility, attributes: .initiallyInactive)
      lazy.async { device.note("lazy") }
      let queue = DispatchQueue(label: "suspended")
      queue.suspend()
      queue.async { device.note("resumed") }
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { lazy.activate() }
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { queue.resume() }
    }
    equal(lines, ["1000 lazy", "2000 resumed"])
  }

  @Test("Groups call, and wait, when all have left")
  func groups() throws {
    let lines = try TimedDevice().run { device in
      let group = DispatchGroup()
      let queue = DispatchQueue(label: "work")
      queue.async(group: group) { device.note("item") }
      group.enter()
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { group.leave() }
      group.notify(queue: .main) { device.note("notified main=\(Thread.isMainThread)") }
      device.note("wait \(group.wait(timeout: .now() + .milliseconds(250)))")
      DispatchQueue.global().async {
        group.wait()
        device.note("waited")
      }
    }
    equal(lines, ["0 item", "250 wait timedOut", "1000 notified main=true", "1000 waited"])
  }

  @Test("Work items run, notify, are waited for and are cancelled")
  func workItems() throws {
    let lines = try TimedDevice().run { device in
      let item = DispatchWorkItem { device.note("item") }
      item.notify(queue: .main) { device.note("notified") }
      DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: item)
      let cancelled = DispatchWorkItem { device.note("never") }
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500), execute: cancelled)
      cancelled.cancel()
      nonisolated(unsafe) let waited = DispatchWorkItem(qos: .userInitiated) { device.note("waited for") }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2, execute: waited)
      DispatchQueue.global().async {
        device.note("\(waited.wait(timeout: .now() + .milliseconds(100)))")
      }
      DispatchWorkItem { device.note("performed") }.perform()
    }
    equal(lines, ["0 performed", "100 timedOut", "1000 item", "1000 notified", "2000 waited for"])
  }
}
