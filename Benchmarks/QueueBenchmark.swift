import Foundation
import SimKernel

/// The hold model on the event queue, beside `std::priority_queue` doing the same work in the same run.
enum QueueBenchmark {
  /// xoshiro256** from a fixed state, as Peers/hold.cpp has it.
  private struct Draws {
    var s0: UInt64 = 1
    var s1: UInt64 = 2
    var s2: UInt64 = 3
    var s3: UInt64 = 4

    @inline(__always) mutating func next() -> UInt64 {
      let scrambled = s1 &* 5
      let result = ((scrambled << 7) | (scrambled >> 57)) &* 9
      let shifted = s1 << 17
      s2 ^= s0
      s3 ^= s1
      s1 ^= s2
      s0 ^= s3
      s2 ^= shifted
      s3 = (s3 << 45) | (s3 >> 19)
      return result
    }

    @inline(__always) mutating func increment() -> Int64 {
      let word = next()
      let draw: UInt64 = word >> 8
      if word % 10 == 0 { return 1_000_000 + Int64(draw % 1_000_000_000) }
      return 150_000 + Int64(draw % 1_023_000)
    }
  }

  static func hold(pending: Int, holds: Int) -> (nanoseconds: Double, hash: UInt64) {
    var hash: UInt64 = 0
    var least = Double.infinity
    for _ in 0..<3 {
      let queue = EventQueue()
      var draws = Draws()
      for index in 0..<pending {
        queue.schedule(
          SimEvent(kind: 0, target: UInt32(index)), at: SimInstant(nanoseconds: draws.increment()))
      }
      hash = 1_469_598_103_934_665_603
      let before = cpuSeconds()
      for _ in 0..<holds {
        guard let (instant, event) = queue.popNext() else { fatalError("the queue ran dry") }
        hash = (hash ^ UInt64(event.target)) &* 1_099_511_628_211
        queue.schedule(event, at: instant + .nanoseconds(draws.increment()))
      }
      least = min(least, (cpuSeconds() - before) / Double(holds) * 1e9)
    }
    return (least, hash)
  }

  /// Builds and runs the C++ peer; nil when there is no compiler.
  static func peer(pending: Int, holds: Int) -> (nanoseconds: Double, hash: String)? {
    let source = Places.benchmarks.appending(path: "Peers/hold.cpp").path()
    let binary = FileManager.default.temporaryDirectory.appending(path: "babbench-hold-\(getpid())").path()
    defer { try? FileManager.default.removeItem(atPath: binary) }
    guard run("g++", ["-O2", "-o", binary, source]) != nil else { return nil }
    var best: (Double, String)?
    for _ in 0..<3 {
      guard let output = run(binary, [String(pending), String(holds)]) else { return nil }
      let words = output.split(separator: " ")
      guard words.count == 2, let nanoseconds = Double(words[0]) else { return nil }
      if nanoseconds < best?.0 ?? .infinity {
        best = (nanoseconds, words[1].trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    return best
  }

  /// What a command says on its standard output; nil when it failed.
  /// - Parameter keepsErrors: what it says on standard error is shown.
  static func run(_ command: String, _ arguments: [String], keepsErrors: Bool = true) -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [command] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    if !keepsErrors { process.standardError = FileHandle.nullDevice }
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }

  static func report() {
    print("Event queue, hold model, 24-byte events, 5 000 000 holds")
    for pending in [100, 1_000, 10_000] {
      let ours = hold(pending: pending, holds: 5_000_000)
      row("  \(pending) pending, this bench", ours.nanoseconds, "ns/hold", target: "at most the peer's")
      if let peer = peer(pending: pending, holds: 5_000_000) {
        row("  \(pending) pending, std::priority_queue", peer.nanoseconds, "ns/hold", target: "g++ -O2")
        row("    ratio", ours.nanoseconds / peer.nanoseconds, "x", target: "≤ 1")
        let digits = String(ours.hash, radix: 16)
        let hash = String(repeating: "0", count: 16 - digits.count) + digits
        if hash != peer.hash { print("    ORDER DIFFERS from the peer") }
      } else {
        print("    no g++ here: the peer was not measured")
      }
    }
  }
}
