import Dispatch
import Expectations
import Foundation
import Testing
import VirtualTime

private actor Counter {
  var count = 0
  func next() -> Int {
    count += 1
    return count
  }
  func slow(_ device: TimedDevice, _ name: String) async {
    device.note("\(name) begins")
    try? await Task.sleep(for: .seconds(1))
    device.note("\(name) ends")
  }
}

@MainActor private func onMain(_ device: TimedDevice, _ text: String) {
  dispatchPrecondition(condition: .onQueue(.main))
  device.note("\(text) main=\(Thread.isMainThread)")
}

@Suite("Swift concurrency in virtual time")
struct ConcurrencyTests {
  @Test("Tasks sleep for virtual seconds, in both ways")
  func sleeps() throws {
    let lines = try TimedDevice().run { device in
      Task { @MainActor in
        onMain(device, "a")
        try? await Task.sleep(nanoseconds: 10_000_000_001)
        onMain(device, "b")
      }
      Task.detached {
        device.note("c main=\(Thread.isMainThread)")
        try? await Task.sleep(for: .milliseconds(7_500))
        device.note("d")
        try? await Task.sleep(until: .now + .seconds(22), tolerance: .seconds(1), clock: .suspending)
        device.note("e")
      }
      device.note("body main=\(Thread.isMainThread)")
    }
    equal(
      lines, ["0 body main=true", "0 a main=true", "0 c main=false", "7500 d", "10000+1 b main=true", "29500 e"])
  }

  @Test("Clocks of the standard library say what a sleep took")
  func clocks() throws {
    let lines = try TimedDevice().run { device in
      Task {
        let took = await ContinuousClock().measure { try? await Task.sleep(nanoseconds: 123_456_789) }
        let suspending = await SuspendingClock().measure { try? await Task.sleep(nanoseconds: 1) }
        device.note("\(took) \(suspending)")
      }
    }
    equal(lines, ["123+456790 0.123456789 seconds 1e-09 seconds"])
  }

  @Test("An actor takes turns at its suspension points")
  func actors() throws {
    let lines = try TimedDevice().run { device in
      let counter = Counter()
      for name in ["x", "y"] { Task.detached { await counter.slow(device, name) } }
      Task.detached { device.note("count \(await counter.next())") }
    }
    equal(lines, ["0 x begins", "0 y begins", "0 count 1", "1000 x ends", "1000 y ends"])
  }

  @Test("A task group waits for its children")
  func groups() throws {
    let lines = try TimedDevice().run { device in
      Task {
        let sum = await withTaskGroup(of: Int.self) { group in
          for k in 1...3 {
            group.addTask {
              try? await Task.sleep(for: .seconds(4 - k))
              device.note("child \(k)")
              return k
            }
          }
          var sum = 0
          for await k in group { sum = sum * 10 + k }
          return sum
        }
        device.note("sum \(sum)")
      }
    }
    equal(lines, ["1000 child 3", "2000 child 2", "3000 child 1", "3000 sum 321"])
  }

  @Test("Streams, continuations and cancellation arrive")
  func streams() throws {
    let lines = try TimedDevice().run { device in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let reader = Task { for await value in stream { device.note("value \(value)") } }
      DispatchQueue.main.asyncAfter(deadline: .now() + 2) { continuation.yield(7) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 3) { reader.cancel() }
      Task {
        let answer = await withCheckedContinuation { later in
          let queue = DispatchQueue(label: "answers")
          queue.asyncAfter(deadline: .now() + .milliseconds(1500)) { later.resume(returning: 9) }
        }
        device.note("answer \(answer)")
        await reader.value
        device.note("over")
      }
      let sleeper = Task { do { try await Task.sleep(for: .seconds(60)) } catch { device.note("woken") } }
      Task {
        await Task.yield()
        sleeper.cancel()
      }
    }
    equal(lines, ["0 woken", "1500 answer 9", "2000 value 7", "3000 over"])
  }

  @Test("Isolation to the main actor is assumed where it holds")
  func isolation() throws {
    let lines = try TimedDevice().run { device in
      MainActor.assumeIsolated { onMain(device, "assumed") }
      DispatchQueue.main.async { MainActor.assumeIsolated { onMain(device, "later") } }
      DispatchQueue.global().async { DispatchQueue.main.sync { MainActor.assumeIsolated { onMain(device, "sync") } } }
    }
    equal(lines, ["0 assumed main=true", "0 later main=true", "0 sync main=true"])
  }

  @Test("Isolation to the main actor is refused where it does not hold")
  func noIsolation() throws {
    #expect(throws: VirtualTimeProblem.wrongQueue(expected: "com.apple.main-thread", runningOn: "side")) {
      try TimedDevice().run { device in
        DispatchQueue(label: "side").async { MainActor.assumeIsolated { onMain(device, "never") } }
      }
    }
  }

  @Test("The process's main thread is on main in the main queue only")
  @MainActor func processMainThread() throws {
    let device = TimedDevice()
    try device.run { device in
      MainActor.assumeIsolated { onMain(device, "assumed") }
      DispatchQueue.global().async { device.note("main=\(Thread.isMainThread)") }
    }
    equal(device.lines, ["0 assumed main=true", "0 main=false"])
    #expect(throws: VirtualTimeProblem.wrongQueue(expected: "com.apple.main-thread", runningOn: "side")) {
      try device.run { device in
        DispatchQueue(label: "side").async { MainActor.assumeIsolated { onMain(device, "never") } }
      }
    }
  }

  @Test("The test's own task is not seen inside, and is there again afterwards")
  func outerTask() async throws {
    let lines = try await Task {
      try TimedDevice().run { device in device.note("task \(withUnsafeCurrentTask { $0 != nil })") }
        + ["task \(withUnsafeCurrentTask { $0 != nil })"]
    }.value
    equal(lines, ["0 task false", "task true"])
  }
}
