import Dispatch
import Foundation
import SimKernel
import Testing
import VirtualTime

@Suite("What an item takes", .enabled(if: measuring), .serialized)
struct MeasureTests {
  private func measure(_ what: String, _ count: Int, _ body: () throws -> Void) rethrows {
    let took = try ContinuousClock().measure(body)
    print("\(what): \(took / count)")
  }

  @Test func items() throws {
    let count = 100_000
    try measure("run(at:) with a body", count) {
      let processor = VirtualProcessor()
      for k in 0..<count { try processor.run(at: SimInstant(nanoseconds: Int64(k))) {} }
    }
    try measure("queue.async", count) {
      let queue = DispatchQueue(label: "q")
      try VirtualProcessor().run(at: .zero) { for _ in 0..<count { queue.async {} } }
    }
    measure("real queue.async", count) {
      let queue = DispatchQueue(label: "q")
      for _ in 0..<count { queue.async {} }
      queue.sync {}
    }
    try measure("queue.sync", count) {
      let queue = DispatchQueue(label: "q")
      try VirtualProcessor().run(at: .zero) { for _ in 0..<count { queue.sync {} } }
    }
    try measure("asyncAfter", count) {
      let processor = VirtualProcessor()
      try processor.run(at: .zero) {
        for k in 0..<count { DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(k * 7919 % 1_000_003)) {} }
      }
      try processor.run(at: .zero + .seconds(1))
    }
    try measure("Task.sleep", count) {
      let processor = VirtualProcessor()
      try processor.run(at: .zero) { Task { for _ in 0..<count { try? await Task.sleep(nanoseconds: 1000) } } }
      try processor.run(at: .zero + .seconds(1))
    }
    try measure("hop between actors", count) {
      try VirtualProcessor().run(at: .zero) { Task { for _ in 0..<count { await onMain() } } }
    }
    try measure("usleep", count) {
      let processor = VirtualProcessor()
      try processor.run(at: .zero) { DispatchQueue.global().async { for _ in 0..<count { usleep(1) } } }
      try processor.run(at: .zero + .seconds(1))
    }
    try measure("semaphore hand-over", count) {
      try VirtualProcessor().run(at: .zero) {
        let (a, b) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue(label: "a").async {
          for _ in 0..<count {
            a.wait()
            b.signal()
          }
        }
        for _ in 0..<count {
          a.signal()
          b.wait()
        }
      }
    }
    try measure("processor with one task", 10_000) {
      for _ in 0..<10_000 { try VirtualProcessor().run(at: .zero) { Task {} } }
    }
  }
}

@MainActor private func onMain() {}

/// Figures are printed on demand only.
private let measuring = ProcessInfo.processInfo.environment["VIRTUAL_TIME_MEASURE"] != nil
