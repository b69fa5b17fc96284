import Dispatch
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualTime

@Suite("Sources and run loops in virtual time")
struct SourceTests {
  @Test("A timer source repeats until it is cancelled")
  func timer() throws {
    let lines = try TimedDevice().run { device in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
      var count = 0
      timer.schedule(deadline: .now() + .milliseconds(10), repeating: .milliseconds(20), leeway: .milliseconds(5))
      timer.setEventHandler {
        count += 1
        device.note("tick \(count)")
        if count == 3 { timer.cancel() }
      }
      timer.setCancelHandler { device.note("cancelled") }
      timer.resume()
    }
    equal(lines, ["10 tick 1", "30 tick 2", "50 tick 3", "50 cancelled"])
  }

  @Test("A timer source ends with its last reference")
  func droppedTimer() throws {
    let device = TimedDevice()
    nonisolated(unsafe) var timer: (any DispatchSourceTimer)?
    try device.processor.run(at: .zero) {
      timer = DispatchSource.makeTimerSource(queue: .main)
      timer!.schedule(deadline: .now() + 1, repeating: 1)
      timer!.setEventHandler { device.note("tick") }
      timer!.activate()
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(2500)) { timer = nil }
    }
    try device.run(milliseconds: 10_000)
    equal(device.lines, ["1000 tick", "2000 tick"])
    expect(device.processor.nextDue == nil)
  }

  @Test("A data source gathers what comes before its handler runs")
  func data() throws {
    let lines = try TimedDevice().run { device in
      let source = DispatchSource.makeUserDataAddSource(queue: .main)
      source.setEventHandler { device.note("\(source.data)") }
      source.activate()
      source.add(data: 2)
      source.add(data: 3)
    }
    equal(lines, ["0 5"])
  }

  @Test("A Timer fires on the main run loop")
  func foundationTimer() throws {
    let device = TimedDevice()
    let lines = try device.run { device in
      nonisolated(unsafe) var count = 0
      _ = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { timer in
        count += 1
        device.note("timer \(count) main=\(Thread.isMainThread)")
        if count == 3 { timer.invalidate() }
      }
      RunLoop.main.perform { device.note("performed") }
    }
    equal(
      lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") },
      ["performed", "timer 1 main=true", "timer 2 main=true", "timer 3 main=true"])
    // Foundation computes the instant of a timer in binary fractions of a second.
    let instants = lines.dropFirst().map { Int($0.split(whereSeparator: { $0 == " " || $0 == "+" })[0])! }
    equal(instants, [500, 1000, 1500])
    expect(device.processor.nextDue == nil)
  }

  @Test("A run loop that an item runs waits for timers and for what other queues put in")
  func nestedRunLoop() throws {
    let lines = try TimedDevice().run { device in
      _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in device.note("timer") }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) { RunLoop.main.perform { device.note("performed") } }
      DispatchQueue.main.async { device.note("next item") }
      RunLoop.current.run(until: Date() + 3)
      device.note("loop ends")
    }
    equal(
      lines.map { $0.replacing(/\+\d+/, with: "") },
      ["1000 timer", "2000 performed", "3000 loop ends", "3000 next item"])
  }

  @Test("A run loop of another queue is never run, and many devices share few loops")
  func otherLoops() throws {
    func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    let before = try openFiles()
    for _ in 0..<400 {
      let device = TimedDevice()
      let lines = try device.run { device in
        // Foundation keeps the closure of a timer even after the timer is invalid.
        DispatchQueue.global().async {
          _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in device.note("never") }
        }
        _ = Timer.scheduledTimer(withTimeInterval: 2, repeats: false) { _ in device.note("main") }
      }
      equal(lines.map { $0.split(separator: " ")[1] }, ["main"])
      equal(device.processor.now, .zero + .seconds(2))
      device.processor.end()
    }
    try expect(openFiles() < before + 200)
  }
}
