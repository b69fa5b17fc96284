import AppSeam
import SimKernel
import Testing
import VirtualNetwork
import VirtualRadio

@testable import Platform

@Suite("An app in the background")
struct PlatformSuspensionTests {
  private func bench(suspendsAfter: SimDuration?) -> PlatformBench {
    PlatformBench(
      [
        { input in
          if case .launched = input { return [.setTimer(TimerID(1), at: .zero + .seconds(20))] }
          return []
        }
      ], phone: { phone, _ in phone.background.suspendsAfter = suspendsAfter })
  }

  private func told(_ bench: PlatformBench, _ input: AppInput) -> SimInstant? {
    bench.seen.last { $0.what == .input(input) }?.at
  }

  @Test("It is told nothing once it is suspended, and everything in order when it comes to the front")
  func suspension() {
    let bench = bench(suspendsAfter: .seconds(5))
    bench.platforms[0].launch()
    bench.run(for: .seconds(1))
    bench.platforms[0].apply(.background)
    bench.run(for: .seconds(29))
    #expect(told(bench, .background(true)) == .zero + .seconds(1))
    #expect(told(bench, .timer(TimerID(1))) == nil)
    #expect(bench.networkFaults == [.suspend])
    bench.platforms[0].apply(.foreground)
    bench.run(for: .seconds(1))
    #expect(bench.networkFaults == [.suspend, .resume])
    let inputs = bench.seen.suffix(2).map(\.what)
    #expect(inputs == [.input(.timer(TimerID(1))), .input(.background(false))])
  }

  @Test("What Bluetooth has for it wakes it for ten seconds")
  func waking() {
    let bench = bench(suspendsAfter: .seconds(5))
    bench.platforms[0].launch()
    bench.platforms[0].apply(.background)
    bench.run(for: .seconds(12))
    bench.platforms[0].tell(.radioPower(true))
    bench.run(for: .seconds(9))
    #expect(told(bench, .timer(TimerID(1))) == .zero + .seconds(20))
    bench.run(for: .seconds(2))
    #expect(bench.networkFaults == [.suspend, .resume, .suspend])
  }

  @Test("Without such a rule it is never suspended")
  func never() {
    let bench = bench(suspendsAfter: nil)
    bench.platforms[0].launch()
    bench.platforms[0].apply(.background)
    bench.run(for: .seconds(100))
    #expect(told(bench, .timer(TimerID(1))) == .zero + .seconds(20))
    #expect(bench.networkFaults.isEmpty)
  }
}
