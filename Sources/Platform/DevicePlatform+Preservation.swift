import AppSeam
import SimKernel
import VirtualNetwork

/// Apps that the system ends for want of memory, and launches again for what Bluetooth has for them.
///
/// Links, attempts, services, advertising and the scan stay as they are. What happens meanwhile waits for the app in
/// order; the first event that is the app's launches it. Source: Apple, Core Bluetooth Programming Guide, “State
/// Preservation and Restoration”, and TN3115, “Bluetooth State Restoration app relaunch rules”: neither a person who
/// closes the app nor one who switches Bluetooth off leaves anything that launches it. *Decision*: a launch takes no
/// time.
extension DevicePlatform {
  func reclaim() {
    guard engine != nil else { return }
    guard isPreserved, isPoweredOn else { return kill() }
    surroundings.observe(FaultEvent.reclaim, device: index)
    let waiting = inbox.popAll()
    endApp()
    isReclaimed = true
    for input in waiting { tell(input) }
  }

  /// Keeps an input for the app that does not run, and launches it if that is what the input is for.
  func keepForLaunch(_ input: AppInput) {
    guard input.isOfBluetooth else { return }
    inbox.append(input)
    if input.launchesApp { launch() }
  }
}

extension AppInput {
  /// Something that happened, and not the end of what the app was doing.
  fileprivate var launchesApp: Bool {
    switch self {
    case .connected, .connectFailed, .disconnected, .discovered, .gap(.heard), .gap(.heardExtended), .subscribed,
      .valueReceived:
      true
    case .gatt(let input):
      switch input {
      case .subscription, .readAsked, .writesAsked, .partAsked, .executeAsked, .notified, .servicesChanged, .valueRead,
        .valueWritten:
        true
      default: false
      }
    case .channel(.opened), .channel(.received): true
    default: false
    }
  }
}
