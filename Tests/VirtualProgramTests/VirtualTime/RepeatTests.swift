import Dispatch
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualTime

@Suite("Runs repeat")
struct RepeatTests {
  private func log(seed: UInt64) throws -> [String] {
    let device = TimedDevice(seed: seed)
    defer { device.processor.end() }
    return try device.run { Program(device: $0).act(seed, 6) }
  }

  @Test("A random program gives one log, ten times, in debug and release", arguments: 1...8)
  func programs(seed: Int) throws {
    let first = try log(seed: UInt64(seed))
    expect(first.count > 6)
    for _ in 1..<10 { try equal(log(seed: UInt64(seed)), first) }
    var digest = TraceDigest()
    for line in first { digest.combine(text: line) }
    equal(digest.word, known[seed - 1], "digest of seed \(seed) is \(digest.word)")
  }

  @Test("Two devices in turn do not see each other")
  func two() throws {
    let devices = [TimedDevice(seed: 1), TimedDevice(seed: 2)]
    let alone = try (1...2).map { try log(seed: UInt64($0)) }
    for (index, device) in devices.enumerated() {
      try device.processor.run(at: .zero) { Program(device: device).act(UInt64(index + 1), 6) }
    }
    while let next = devices.compactMap(\.processor.nextDue).min() {
      for device in devices where device.processor.nextDue == next { try device.processor.run(at: next) }
    }
    equal(devices.map(\.lines), alone)
  }

  @Test("A device is on main in its own main queue only, and shares a queue's items with no other device")
  func shared() throws {
    let queue = DispatchQueue(label: "shared")
    let (a, b) = (TimedDevice(), TimedDevice())
    try a.processor.run(at: .zero) {
      queue.suspend()
      queue.async { a.note("a") }
    }
    try b.processor.run(at: .zero) { queue.async { b.note("b") } }
    expect(a.lines == [] && b.lines == ["0 b"])
    try a.processor.run(at: .zero) { queue.resume() }
    equal(a.lines, ["0 a"])
  }

  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread { done.resume(with: Result { try body() }) }
    }
  }

  @Test("A processor may change its thread while no item waits in the middle")
  func threads() async throws {
    let device = TimedDevice()
    try await onThread {
      try device.processor.run(at: .zero) {
        device.note("a")
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { device.note("b") }
      }
    }
    try await onThread { try device.run(milliseconds: 1000) }
    equal(device.lines, ["0 a", "1000 b"])
    try await onThread {
      try device.processor.run(at: device.processor.now) { DispatchQueue.global().async { sleep(1) } }
    }
    await #expect(throws: VirtualTimeProblem.otherThread) { try await onThread { try device.run(milliseconds: 3000) } }
  }

  @Test("Real queues, tasks and clocks of other threads are undisturbed", arguments: 0..<4)
  func parallel(index: Int) async throws {
    let start = ContinuousClock.now
    async let real: Int = withTaskGroup(of: Int.self) { group in
      for k in 0..<20 {
        group.addTask {
          try? await Task.sleep(for: .milliseconds(5))
          return await withCheckedContinuation { done in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { done.resume(returning: k) }
          }
        }
      }
      return await group.reduce(0, +)
    }
    let virtual = try log(seed: UInt64(index + 1))
    await equal(real, 190)
    expect(virtual.count > 6)
    expect(start.duration(to: .now) >= .milliseconds(10))
  }
}

/// Seen in debug and release.
private let known: [UInt64] = [
  8_861_777_959_623_824_441, 9_113_630_487_497_768_909, 6_138_831_181_932_593_237, 13_698_936_379_744_827_033,
  10_319_643_126_152_018_880, 1_502_917_816_317_888_660, 18_289_193_864_550_815_104, 14_512_410_483_532_659_954,
]
