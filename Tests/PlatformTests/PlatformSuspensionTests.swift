import AppSeam
import Expectations
import SimKernel
import Testing
import VirtualNetwork
import VirtualRadio

@testable import Platform

@Suite("An app in the background")
struct PlatformSuspensionTests {
  private func bench(
    suspendsAfter: SimDuration?, _ change: @escaping (inout PhonePreset.BackgroundHabits) -> Void = { _ in }
  ) -> PlatformBench {
    PlatformBench(
      [
        { input in
          if case .launched = input { return [.setTimer(TimerID(1), at: .zero + .seconds(20))] }
          return []
        }
      ],
      phone: { phone, _ in
        phone.background.suspendsAfter = suspendsAfter
        change(&phone.background)
      })
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
    equal(told(bench, .background(true)), .zero + .seconds(1))
    expect(told(bench, .timer(TimerID(1))) == nil)
    equal(bench.networkFaults, [.suspend])
    bench.platforms[0].apply(.foreground)
    bench.run(for: .seconds(1))
    equal(bench.networkFaults, [.suspend, .resume])
    let inputs = bench.seen.suffix(2).map(\.what)
    equal(inputs, [.input(.timer(TimerID(1))), .input(.background(false))])
  }

  @Test("What Bluetooth has for it wakes it for ten seconds")
  func waking() {
    let bench = bench(suspendsAfter: .seconds(5))
    bench.platforms[0].launch()
    bench.platforms[0].apply(.background)
    bench.run(for: .seconds(12))
    bench.platforms[0].tell(.radioPower(true))
    bench.run(for: .seconds(9))
    equal(told(bench, .timer(TimerID(1))), .zero + .seconds(20))
    bench.run(for: .seconds(2))
    equal(bench.networkFaults, [.suspend, .resume, .suspend])
  }

  @Test("What Bluetooth has for it wakes it for as long as the phone says")
  func wakingForLess() {
    let bench = bench(suspendsAfter: .seconds(5)) { $0.wakesFor = .seconds(3) }
    bench.platforms[0].launch()
    bench.platforms[0].apply(.background)
    bench.run(for: .seconds(12))
    bench.platforms[0].tell(.radioPower(true))
    bench.run(for: .seconds(2))
    equal(bench.networkFaults, [.suspend, .resume])
    bench.run(for: .seconds(2))
    equal(bench.networkFaults, [.suspend, .resume, .suspend])
  }

  // MARK: The screen

  @Test("An app in front is in the background while the screen is off; one that was there stays there")
  func screen() {
    let bench = bench(suspendsAfter: nil)
    bench.platforms[0].launch()
    for _ in 0..<2 { bench.platforms[0].apply(.screenOff) }
    bench.run(for: .seconds(1))
    bench.platforms[0].apply(.screenOn)
    bench.run(for: .seconds(1))
    equal(bench.inputs(0), [.launched, .background(true), .background(false)])
    for fault in [DeviceFault.background, .screenOff, .screenOn] { bench.platforms[0].apply(fault) }
    bench.run(for: .seconds(1))
    equal(bench.inputs(0).dropFirst(3), [.background(true)])
    for fault in [DeviceFault.screenOff, .foreground] { bench.platforms[0].apply(fault) }
    bench.run(for: .seconds(1))
    expect(bench.inputs(0).dropFirst(4) == [.background(false)] && !bench.platforms[0].isScreenOff)
  }

  @Test("The screen goes off when nobody has touched the phone for so long, and on again when somebody does")
  func screenTimeout() {
    let bench = bench(suspendsAfter: nil) { $0.screenOffAfter = .seconds(5) }
    bench.platforms[0].launch()
    bench.run(for: .seconds(3))
    bench.platforms[0].act(AppAction(Word.hello("a")))
    bench.run(for: .seconds(4))
    expect(told(bench, .background(true)) == nil)
    bench.run(for: .seconds(2))
    equal(told(bench, .background(true)), .zero + .seconds(8))
    bench.platforms[0].act(AppAction(Word.hello("a")))
    bench.run(for: .seconds(1))
    equal(told(bench, .background(false)), .zero + .seconds(9))
  }

  @Test("A phone that dozes lets the app run for a minute after five minutes, then ten, then fifteen each time")
  func doze() {
    let bench = bench(suspendsAfter: nil) { $0.dozesAfter = .seconds(240) }
    bench.platforms[0].launch()
    bench.platforms[0].apply(.screenOff)
    bench.run(for: .seconds(239))
    expect(bench.networkFaults.isEmpty)
    var expected: [NetworkFault] = []
    for (minutes, fault) in [
      (1, NetworkFault.suspend), (5, .resume), (1, .suspend), (10, .resume), (1, .suspend), (15, .resume),
      (1, .suspend), (15, .resume), (1, .suspend),
    ] {
      if !expected.isEmpty { bench.run(for: .seconds(60 * Int64(minutes) - 2)) }
      equal(bench.networkFaults, expected, "before \(minutes) min")
      bench.run(for: .seconds(2))
      expected.append(fault)
      equal(bench.networkFaults, expected, "after \(minutes) min")
    }
    bench.platforms[0].apply(.screenOn)
    bench.run(for: .seconds(1))
    equal(bench.networkFaults, expected + [.resume])
    equal(bench.inputs(0).suffix(1), [.background(false)])
    bench.run(for: .seconds(3_600))
    equal(bench.networkFaults, expected + [.resume])
  }

  @Test("Bluetooth wakes the app of a phone that dozes, and its windows come when they would have come")
  func wokenInDoze() {
    let bench = bench(suspendsAfter: nil) { $0.dozesAfter = .seconds(10) }
    bench.platforms[0].launch()
    bench.platforms[0].apply(.screenOff)
    bench.run(for: .seconds(100))
    bench.platforms[0].tell(.radioPower(true))
    bench.run(for: .seconds(11))
    equal(bench.networkFaults, [.suspend, .resume, .suspend])
    bench.run(for: .seconds(198))
    equal(bench.networkFaults.count, 3)
    bench.run(for: .seconds(2))
    equal(bench.networkFaults.count, 4)
  }

  @Test("An app that is killed in a doze is not suspended, and one that is launched in it runs for a while")
  func launchInDoze() {
    let bench = bench(suspendsAfter: nil) { $0.dozesAfter = .seconds(10) }
    bench.platforms[0].launch()
    bench.platforms[0].apply(.screenOff)
    bench.run(for: .seconds(20))
    bench.platforms[0].apply(.kill)
    bench.run(for: .seconds(400))
    equal(bench.networkFaults, [.suspend, .resume])
    let before = bench.seen.count
    bench.platforms[0].apply(.relaunch)
    bench.run(for: .seconds(5))
    equal(bench.inputs(0, since: before).first, .launched)
    bench.run(for: .seconds(6))
    equal(bench.networkFaults, [.suspend, .resume, .suspend])
  }

  @Test("An app that is put away while the screen is off is not in front when it goes on")
  func putAway() {
    let bench = bench(suspendsAfter: nil)
    bench.platforms[0].launch()
    for fault in [DeviceFault.screenOff, .background, .screenOn] { bench.platforms[0].apply(fault) }
    bench.run(for: .seconds(1))
    equal(bench.inputs(0), [.launched, .background(true)])
  }

  @Test("Without such a rule it is never suspended")
  func never() {
    let bench = bench(suspendsAfter: nil)
    bench.platforms[0].launch()
    bench.platforms[0].apply(.background)
    bench.run(for: .seconds(100))
    equal(told(bench, .timer(TimerID(1))), .zero + .seconds(20))
    expect(bench.networkFaults.isEmpty)
  }
}
