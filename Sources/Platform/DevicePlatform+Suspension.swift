import AppSeam
import SimKernel
import VirtualNetwork
import VirtualRadio

/// Apps that the system slows, suspends or ends in the background, on phones whose preset or scenario says so
/// (Docs/virtual-network-laws.md, NET 8.6).
///
/// A suspended app is told nothing: inputs wait, timers that are due too. What Bluetooth has for it wakes it for a
/// while, unless the phone freezes apps; some phones let it run by the clock.
extension DevicePlatform {
  /// The app went to the background, or came to the front.
  func refreshSuspension() {
    let habits = phone.background
    cancel(&appEnd)
    if habits.suspendsAfter != nil, dozingFor == nil { wake() }
    if !isInBackground {
      launchAgain()
    } else {
      if let time = habits.suspendsAfter, dozingFor == nil { suspension = schedule(.suspends, at: timeline.now + time) }
      if let time = habits.endsAfter { appEnd = schedule(.appIsEnded, at: timeline.now + time) }
    }
  }

  func suspend() {
    cancel(&suspension)
    if isSuspended { return }
    isSuspended = true
    observe(
      .appSuspended, nil,
      dozingFor == nil
        ? "the system does not run the app in the background"
        : "the phone dozes and does not run the app in the background")
    if let time = phone.background.wakesEvery, dozingFor == nil { wakeUp = schedule(.wakes, at: timeline.now + time) }
    surroundings.applyToNetwork(.suspend, device: index)
  }

  /// It runs again: what waits is told in order.
  func wake() {
    cancel(&suspension)
    cancel(&wakeUp)
    guard isSuspended else { return }
    isSuspended = false
    observe(.appWoken, nil, "the app runs again")
    surroundings.applyToNetwork(.resume, device: index)
    if !inbox.isEmpty { announce() }
  }

  func wakeByTheClock() {
    wakeUp = nil
    wakeForAWhile()
  }

  /// The system ends an app that has been in the background for long; it is launched when its person opens it.
  func endBySystem() {
    appEnd = nil
    guard engine != nil, isInBackground else { return }
    reclaim()
    isEndedBySystem = true
    observe(.appEnded, nil, "the system has ended the app in the background")
  }

  func cancelAppEnd() { cancel(&appEnd) }

  private func launchAgain() {
    guard isEndedBySystem else { return }
    isEndedBySystem = false
    if engine == nil { surroundings.observe(FaultEvent.relaunch, device: index) }
    launch()
  }

  private func wakeForAWhile() {
    wake()
    suspension = schedule(.suspends, at: timeline.now + phone.background.wakesFor)
  }

  func cancel(_ handle: inout EventHandle?) {
    if let due = handle { timeline.cancel(due) }
    handle = nil
  }

  /// - Returns: whether the app may be told this now.
  func mayBeTold(_ input: AppInput) -> Bool {
    guard isSuspended else { return true }
    guard phone.background.isWokenByBluetooth, input.isOfBluetooth else { return false }
    wakeForAWhile()
    return true
  }
}

extension AppInput {
  /// Whether it is told to apps that do not run at the moment, and wakes them.
  var isOfBluetooth: Bool {
    switch self {
    case .launched, .background, .timer, .user, .network: false
    default: true
    }
  }
}
