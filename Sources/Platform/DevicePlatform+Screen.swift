import AppSeam
import SimKernel
import VirtualRadio

/// The screen of a phone, and what a phone whose screen is off does to its app: an app in front goes to the background,
/// and scans get rarer. A phone that dozes suspends its app, and lets it run in windows that come more and more rarely.
/// What Bluetooth has for it wakes it as in the background.
///
/// Not modelled: what else ends a doze (motion, a charger), and what only a phone that lies still for an hour does.
extension DevicePlatform {
  /// How long it is to the next window of a doze, the first time and at most; each time is twice the one before
  /// (`LIGHT_IDLE_TIMEOUT`, `LIGHT_MAX_IDLE_TIMEOUT` and `LIGHT_IDLE_FACTOR` of Android's `DeviceIdleController`).
  private static let dozing = (first: SimDuration.seconds(300), longest: SimDuration.seconds(900))
  /// `LIGHT_IDLE_MAINTENANCE_MIN_BUDGET`.
  private static let window = SimDuration.seconds(60)

  func setBackground(_ isBack: Bool) {
    isInBackground = isBack
    observe(isBack ? FaultEvent.background : .foreground)
    host.advance(to: timeline.now)
    tell(.background(isBack))
    refreshSuspension()
    if isPoweredOn {
      refreshAdvertising()
      refreshScanning()
      drainHost()
    }
  }

  func screenGoesOff() {
    cancel(&screenTimeout)
    if isScreenOff { return }
    isScreenOff = true
    observe(FaultEvent.screenOff)
    if let time = phone.background.dozesAfter { doze = schedule(.dozes, at: timeline.now + time) }
    wasInFront = !isInBackground
    if wasInFront { setBackground(true) } else { scanAsTheScreenIs() }
  }

  /// - Parameter isInFront: nil: as it was when the screen went off.
  func screenGoesOn(isInFront: Bool? = nil) {
    defer { restartScreenTimeout() }
    guard isScreenOff else { return }
    isScreenOff = false
    observe(FaultEvent.screenOn)
    cancel(&doze)
    if dozingFor != nil {
      (dozingFor, isWindow) = (nil, false)
      wake()
      if let time = phone.background.suspendsAfter { suspension = schedule(.suspends, at: timeline.now + time) }
    }
    if isInFront ?? wasInFront { setBackground(false) } else { scanAsTheScreenIs() }
  }

  /// A person has the phone in hand. Where the screen goes off by a step only, it goes on by a step only.
  func isUsed() {
    if phone.background.screenOffAfter != nil { screenGoesOn() }
  }

  /// The app is put away; with the screen off it is not in front any more when that goes on.
  func putAway() {
    wasInFront = false
    if !isScreenOff || !isInBackground { setBackground(true) }
  }

  private func restartScreenTimeout() {
    cancel(&screenTimeout)
    if let time = phone.background.screenOffAfter { screenTimeout = schedule(.screenTimesOut, at: timeline.now + time) }
  }

  private func scanAsTheScreenIs() {
    guard isPoweredOn else { return }
    host.advance(to: timeline.now)
    refreshScanning()
    drainHost()
  }

  /// An app that is launched in a doze runs for a while.
  func launchedInDoze() {
    guard dozingFor != nil, !isWindow else { return }
    suspension = schedule(.suspends, at: timeline.now + phone.background.wakesFor)
  }

  /// The phone begins to doze, or a window of its doze begins or ends.
  func dozes() {
    if dozingFor != nil, !isWindow {
      isWindow = true
      cancel(&suspension)
      wake()
      doze = schedule(.dozes, at: timeline.now + Self.window)
      return
    }
    let time = dozingFor.map { min($0 * 2, Self.dozing.longest) } ?? Self.dozing.first
    (dozingFor, isWindow) = (time, false)
    cancel(&wakeUp)
    if engine != nil { suspend() }
    doze = schedule(.dozes, at: timeline.now + time)
  }
}
