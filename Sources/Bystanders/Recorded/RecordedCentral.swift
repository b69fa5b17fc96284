import AppSeam
import BluetoothWire
import SimKernel

/// Plays the clients of a recorded device: it connects to whoever advertises as that one did, and asks what they asked,
/// link by link, with the pauses of the capture. A request waits for the answer to the one before.
final class RecordedCentral: AppEngine {
  private let recording: Recording
  private var visit = 0
  private var link: LinkID?
  private var asked: BluetoothAddress?
  /// Services whose characteristics are still to be found.
  private var unknown: [FoundService] = []
  private var found: [FoundCharacteristic] = []
  private var request = 0

  private static let timer = TimerID(0)
  /// How long it stays on a link of which the capture does not show the end, where there are more.
  private static let openRest: Int64 = 10_000_000_000

  init(_ recording: Recording) { self.recording = recording }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true): return seek
    case .gap(.heard(let heard)):
      guard asked == nil, link == nil, isMeant(heard) else { return [] }
      asked = heard.advertisement.address
      return [.stopScanning, .connect(heard.advertisement.address)]
    case .connectFailed:
      asked = nil
      return seek
    case .connected(let link, _):
      self.link = link
      return [.exchangeMTU(link, 517), .gatt(.discoverServices(link, []))]
    case .disconnected:
      (link, asked, found, unknown) = (nil, nil, [], [])
      visit += 1
      request = 0
      return [.cancelTimer(Self.timer)] + seek
    case .timer: return ask(now)
    case .gatt(let input): return effects(of: input, now)
    default: return []
    }
  }

  /// Looks for the device as long as there is something to ask.
  private var seek: [AppEffect] {
    recording.visits.indices.contains(visit) ? [.gap(.scan(ScanRequest(services: [])))] : []
  }

  private func isMeant(_ heard: HeardAdvertiser) -> Bool {
    heard.isConnectable
      && (heard.advertisement.address == recording.address || heard.data == recording.advertising.data)
  }

  private func effects(of input: GATTInput, _ now: SimInstant) -> [AppEffect] {
    switch input {
    case .services(let link, let services, _):
      unknown = services
      return next(link, now)
    case .characteristics(let link, _, let characteristics, _):
      found += characteristics
      return next(link, now)
    case .valueRead, .valueWritten, .configured: return pause(now)
    case .submitted(_, _, _, true): return pause(now)
    case .submitted(_, _, _, false):
      request -= 1
      return pause(now)
    default: return []
    }
  }

  private func next(_ link: LinkID, _ now: SimInstant) -> [AppEffect] {
    if unknown.isEmpty { return pause(now) }
    return [.gatt(.discoverCharacteristics(link, unknown.removeFirst()))]
  }

  private var requests: [RecordedVisit.Request] { recording.visits[visit].requests }

  /// Waits as long as the recorded client did before its next request, or its end.
  private func pause(_ now: SimInstant) -> [AppEffect] {
    guard recording.visits.indices.contains(visit) else { return [] }
    let isLast = visit == recording.visits.count - 1
    let rest = recording.visits[visit].rest ?? (isLast ? nil : Self.openRest)
    guard let pause = request < requests.count ? requests[request].pause : rest else { return [] }
    return [.setTimer(Self.timer, at: now + .nanoseconds(pause))]
  }

  private func ask(_ now: SimInstant) -> [AppEffect] {
    guard let link, recording.visits.indices.contains(visit) else { return [] }
    guard request < requests.count else { return [.disconnect(link)] }
    let next = requests[request]
    request += 1
    let same = found.filter { $0.uuid == next.characteristic.uuid }
    guard same.indices.contains(next.characteristic.number) else { return pause(now) }
    let (handle, type) = (same[next.characteristic.number].value, next.characteristic.uuid)
    switch next.kind {
    case .read: return [.gatt(.read(link, handle, type: type))]
    case .write(let octets): return [.gatt(.write(link, handle, type: type, octets: octets))]
    case .writeCommand(let octets): return [.gatt(.writeWithoutResponse(link, handle, type: type, octets: octets))]
    case .subscribe(let isOn): return [.gatt(.configure(link, handle, type: type, isOn))]
    }
  }
}
