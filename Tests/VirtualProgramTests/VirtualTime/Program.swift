import Dispatch
import Foundation
import SimKernel

/// A program drawn from a seed: hops, delays, tasks, timers, sleeps, groups, nested to a depth.
struct Program {
  let device: TimedDevice
  let serial = (0..<3).map { DispatchQueue(label: "s\($0)") }
  let concurrent = DispatchQueue(label: "c", attributes: .concurrent)

  let readers = DispatchQueue(label: "readers", attributes: .concurrent)
  let notes = Notes()

  func act(_ key: UInt64, _ depth: Int) {
    device.note("\(key % 100_000)")
    if depth == 0 { return }
    var draw = RandomStream(seed: key, component: "program", purpose: "act")
    for _ in 0..<draw.within(1...3) {
      let next = draw.next() >> 1
      let delay = draw.within(0...50_000_000)
      let queue = draw.below(4) == 3 ? concurrent : serial[Int(draw.below(3))]
      switch draw.below(14) {
      case 0: queue.async { act(next, depth - 1) }
      case 1: DispatchQueue.main.async { act(next, depth - 1) }
      case 2: queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { act(next, depth - 1) }
      case 3: concurrent.async(flags: .barrier) { act(next, depth - 1) }
      case 4:
        Task { @MainActor in
          try? await Task.sleep(nanoseconds: UInt64(delay))
          act(next, depth - 1)
        }
      case 5:
        Task.detached {
          try? await Task.sleep(for: .nanoseconds(delay))
          act(next ^ UInt64(Int.random(in: 0..<1000)), depth - 1)
        }
      case 6:
        DispatchQueue.global().async {
          usleep(UInt32(delay / 1000))
          act(next, depth - 1)
        }
      case 7:
        let group = DispatchGroup()
        for part in 0..<2 { queue.async(group: group) { act(next + UInt64(part), depth - 1) } }
        group.notify(queue: serial[0]) { device.note("group") }
      case 8:
        let semaphore = DispatchSemaphore(value: 0)
        queue.async {
          _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(delay)))
          act(next, depth - 1)
        }
        if next % 2 == 0 { DispatchQueue.main.async { semaphore.signal() } }
      case 9: readers.sync { device.note("sync") }
      case 10: Task.detached { await notes.note(device, next, UInt64(delay)) }
      case 11:
        Task {
          async let left: Void = notes.note(device, next, UInt64(delay))
          async let right: Void = Task.sleep(nanoseconds: 1_000_000)
          _ = try? await (left, right)
          act(next, depth - 1)
        }
      case 12:
        Task(priority: .background) { @MainActor in
          await withTaskGroup(of: Void.self) { group in
            for part in 0..<3 { group.addTask { await notes.note(device, next + UInt64(part), UInt64(part)) } }
          }
          act(next, depth - 1)
        }
      default:
        _ = Timer.scheduledTimer(withTimeInterval: Double(delay) / 1e9, repeats: false) { _ in act(next, depth - 1) }
      }
    }
  }
}
extension Program: @unchecked Sendable {}

/// An actor of the program.
actor Notes {
  private var count = 0

  func note(_ device: TimedDevice, _ key: UInt64, _ delay: UInt64) async {
    count += 1
    let mine = count
    try? await Task.sleep(nanoseconds: delay)
    device.note("note \(key % 100_000) \(mine) of \(count)")
  }
}
