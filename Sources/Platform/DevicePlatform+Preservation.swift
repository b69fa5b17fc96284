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
    var waiting: [AppInput] = []
    while let input = inbox.popFirst() { waiting.append(input) }
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

  /// The app is there again: it is told what it has missed.
  func continueLaunch() {
    isReclaimed = false
    var waiting: [AppInput] = []
    while let input = inbox.popFirst() { waiting.append(input) }
    tell(.launched)
    surroundings.appStarted(index)
    if isInBackground { tell(.background(true)) }
    for input in waiting { tell(input) }
    for action in wishes { tell(.user(action)) }
    wishes.removeAll()
  }
}

extension AppInput {
  /// Something that happened, and not the end of what the app was doing.
  fileprivate var launchesApp: Bool {
    switch self {
    case .connected, .connectFailed, .disconnected, .discovered, .gap(.heard), .subscribed, .valueReceived: true
    case .gatt(let input):
      switch input {
      case .subscription, .readAsked, .writesAsked, .notified, .servicesChanged, .valueRead, .valueWritten: true
      default: false
      }
    case .channel(.opened), .channel(.received): true
    default: false
    }
  }
}
