import Dispatch
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualTime

@Suite("Clocks and random sources of a device")
struct ClockTests {
  @Test("Date follows the virtual clock, and only inside")
  func dates() throws {
    let device = TimedDevice()
    let before = Date()
    try device.processor.run(at: .zero) {
      device.note("\(Date().timeIntervalSince1970)")
      DispatchQueue.main.asyncAfter(deadline: .now() + 90) {
        device.note("\(Date().timeIntervalSince1970) \(ProcessInfo.processInfo.systemUptime)")
      }
    }
    try device.run(milliseconds: 90_000)
    equal(device.lines, ["0 1767225600.0", "90000 1767225690.0 1090.0"])
    let after = Date()
    expect(after.timeIntervalSince(before) < 30 && after.timeIntervalSince(before) >= 0)
  }

  private func draws(seed: UInt64) throws -> [String] {
    try TimedDevice(seed: seed).run { device in
      device.note("\(Int.random(in: 0..<1_000_000_000))")
      device.note(UUID().uuidString)
      device.note("\([1, 2, 3, 4, 5, 6, 7, 8].shuffled())")
      Task { device.note("\(Double.random(in: 0..<1))") }
      var generator = SystemRandomNumberGenerator()
      device.note("\(generator.next())")
    }
  }

  @Test("Random sources repeat with the seed, and differ with another")
  func random() throws {
    let (a, b) = (try draws(seed: 1), try draws(seed: 1))
    equal(a, b)
    try expect(draws(seed: 1) != draws(seed: 2))
    expect(UUID() != UUID())
  }

  @Test("Thirty virtual seconds take milliseconds")
  func speed() throws {
    let clock = ContinuousClock()
    let took = try clock.measure {
      let lines = try TimedDevice().run { device in
        for k in 0..<30 {
          Task {
            try? await Task.sleep(for: .seconds(k))
          }
          DispatchQueue.global().async { Thread.sleep(forTimeInterval: 29.5) }
          DispatchQueue.main.asyncAfter(deadline: .now() + Double(k) + 1) { if k == 29 { device.note("end") } }
        }
      }
      equal(lines, ["30000 end"])
    }
    expect(took < .seconds(2))
  }
}
