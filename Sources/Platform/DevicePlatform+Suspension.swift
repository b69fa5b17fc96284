import AppSeam
import SimKernel
import VirtualNetwork
import VirtualRadio

/// Apps that are suspended in the background, on phones whose preset says so (Docs/virtual-network-laws.md, NET 8.6).
///
/// A suspended app is told nothing: inputs wait, timers that are due too. What Bluetooth has for it wakes it for a
/// while.
extension DevicePlatform {
  /// How long an input of Bluetooth keeps a suspended app running.
  private static let wakeTime = SimDuration.seconds(10)

  /// The app went to the background, or came to the front.
  func refreshSuspension() {
    guard let time = phone.background.suspendsAfter else { return }
    wake()
    if isInBackground { suspension = schedule(.suspends, at: timeline.now + time) }
  }

  func suspend() {
    suspension = nil
    isSuspended = true
    surroundings.applyToNetwork(.suspend, device: index)
  }

  /// It runs again: what waits is told in order.
  func wake() {
    if let suspension { timeline.cancel(suspension) }
    suspension = nil
    guard isSuspended else { return }
    isSuspended = false
    surroundings.applyToNetwork(.resume, device: index)
    if !inbox.isEmpty { announce() }
  }

  /// - Returns: whether the app may be told this now.
  func mayBeTold(_ input: AppInput) -> Bool {
    guard isSuspended else { return true }
    guard input.isOfBluetooth else { return false }
    wake()
    suspension = schedule(.suspends, at: timeline.now + Self.wakeTime)
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
