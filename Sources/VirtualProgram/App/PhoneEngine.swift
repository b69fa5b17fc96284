package import AppSeam
package import BluetoothWire
package import CoreBluetooth
package import SimKernel
package import VirtualTime

/// The app of a virtual phone: its objects call CoreBluetooth, on a processor of their own, in virtual time.
package final class PhoneEngine: RememberingEngine {
  private static let alarm = TimerID(1)
  /// An app that runs more items in a millisecond never rests; a busy one runs some hundreds.
  private static let mostItems = 100_000

  package let phone: VirtualPhone
  private let processor: VirtualProcessor
  private var alarmAt: SimInstant?
  private var remarked = 0
  /// What stopped the app; nil: it runs.
  package private(set) var problem: VirtualTimeProblem?
  /// Does with the app what its person does in a scenario, on the main queue; nil: nothing.
  package var person: ((AppAction) -> Void)?

  /// - Parameters:
  ///   - name: of the phone; its random numbers follow from it and the seed.
  ///   - memory: what the phone has kept of an earlier launch.
  ///   - tenthsPerItem: of a second of wall time, for which an item may run before the app counts as spinning.
  ///   - launch: makes the app's objects, on the phone's main queue.
  package init(
    _ configuration: AppConfiguration, name: String, address: BluetoothAddress, memory: PhoneMemory = PhoneMemory(),
    tenthsPerItem: Int = 100,
    launch: @escaping () -> AnyObject
  ) {
    var settings = VirtualPhone.Settings(configuration, address: address)
    settings.exceptions = .record
    phone = VirtualPhone(settings, memory: memory)
    var random = RandomStream(seed: configuration.seed, component: name, purpose: "app")
    var limits = VirtualProcessor.Limits()
    limits.itemsPerMillisecond = Self.mostItems
    limits.tenthsPerItem = tenthsPerItem
    processor = VirtualProcessor(
      wallClock: VirtualProcessor.newYear2026 + Int64(configuration.clockOffsetMilliseconds) * 1_000_000,
      seed: random.next(), limits: limits)
    phone.launch = launch
    phone.settle = { [unowned self] instant, body in run(at: instant, body) }
  }

  package func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    if problem != nil { return [] }
    if case .timer(Self.alarm) = input {
      alarmAt = nil
      run(at: now, nil)
      return effects()
    }
    if case .user(let action) = input, let person { return act(at: now) { person(action) } }
    return phone.handle(input, at: now) + ownEffects()
  }

  /// Lets the phone's person, or its test, do something on the main queue.
  package func act(at now: SimInstant, _ body: @escaping () -> Void) -> [AppEffect] {
    if problem != nil { return [] }
    run(at: now, body)
    return effects()
  }

  /// Looks at the app on its main queue, in its time. What the look asks for waits for the app's next input.
  package func look(at now: SimInstant, _ body: @escaping () -> Void) {
    if problem == nil { run(at: now, body) }
  }

  package func remember(at now: SimInstant) -> AppMemory? { problem == nil ? phone.inWords() : nil }

  /// The app is gone: its objects are released on its main queue, in its time, and what it still waits for is dropped.
  ///
  /// A destructor that ran outside of the processor would read the process's clock, and what it gives to queues would
  /// run on real threads, beside the next room.
  /// - Parameter forget: releases what the owner holds of the app.
  package func end(forget: @escaping () -> Void = {}) {
    let release = { [phone] in
      phone.end()
      forget()
    }
    if problem == nil { run(at: processor.now, release) }
    // Again, for a main queue that waits, or an app that was stopped.
    release()
    processor.end()
  }

  /// All items of the processor run in this thread, and find the phone there, whatever submitted them.
  private func run(at instant: SimInstant, _ body: (() -> Void)?) {
    problem = phone.whileCurrent { () -> VirtualTimeProblem? in
      do throws(VirtualTimeProblem) {
        try processor.run(at: instant, body)
        return nil
      } catch {
        return error
      }
    }
  }

  private func effects() -> [AppEffect] { phone.takeEffects() + ownEffects() }

  /// What is not CoreBluetooth's: the next alarm, and words for the trace.
  private func ownEffects() -> [AppEffect] {
    // They are among the effects, each in its place.
    _ = phone.takeRemarks()
    var effects: [AppEffect] = []
    for text in processor.remarks.dropFirst(remarked) {
      effects.append(.report(AppReport(CallWord.remark(kind: CallWord.notVirtual, id: "", text: text))))
    }
    remarked = processor.remarks.count
    if let problem {
      effects.append(.report(AppReport(PhoneWord.stopped(problem.description))))
      return effects
    }
    let due = processor.nextDue
    if due != alarmAt {
      alarmAt = due
      effects.append(due.map { .setTimer(Self.alarm, at: $0) } ?? .cancelTimer(Self.alarm))
    }
    return effects
  }
}
