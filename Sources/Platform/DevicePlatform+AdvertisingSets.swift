import AppSeam
import BluetoothWire
import SimKernel
import VirtualRadio

/// What an app wants of an advertising set.
enum WantedPDUs {
  case legacy(AdvertisingSetRequest)
  case extended(ExtendedSetRequest)

  var set: UInt8 {
    switch self {
    case .legacy(let request): request.set
    case .extended(let request): request.set
    }
  }

  /// Units of 0.625 ms.
  var interval: UInt16 {
    switch self {
    case .legacy(let request): request.interval
    case .extended(let request): request.interval
    }
  }
}

/// An advertising set as an app wants it.
struct WantedSet {
  var request: WantedPDUs
  /// Its own, until the phone changes its addresses.
  var address: BluetoothAddress
  /// Units of 0.625 ms; nil: it is not on the air.
  var interval: UInt16?
  /// A connection has ended it, and the app has not asked again.
  var hasEnded = false
  /// The app has no answer yet.
  var isAwaited = true
}

/// Advertising sets: each is on the air by itself, from an address of its own.
///
/// *Decision*: addresses of sets are resolvable private ones of the phone and change when its own does; a phone that
/// keeps its address has others for them, which stay, too, and by which nobody knows it.
extension DevicePlatform {
  func advertise(_ request: WantedPDUs) {
    if let problem = problem(with: request) {
      observe(.advertisingRefused, nil, problem)
      return tell(.gap(.setStarted(request.set, false)))
    }
    let place = sets.firstIndex { $0.request.set == request.set }
    let address = place.map { sets[$0].address } ?? drawAddress(of: request.set)
    let wanted = WantedSet(request: request, address: address)
    if let place { sets[place] = wanted } else { sets.append(wanted) }
    refreshSets()
  }

  private func problem(with request: WantedPDUs) -> String? {
    if !isRadioOn { return "Bluetooth is off" }
    if request.set == 0 || Int(request.set) >= phone.advertising.sets {
      return "the phone has no advertising set \(request.set)"
    }
    let isInRange = (0x20...0x4000).contains(request.interval)
    switch request {
    case .legacy(let request):
      if max(request.data.count, request.scanResponse.count) > 31 || !isInRange {
        return "an advertising set has at most 31 octets, and an interval from 20 ms to 10.24 s"
      }
    case .extended(let request):
      if !phone.advertising.isExtended { return "the phone has no extended advertising" }
      if max(request.data.count, request.scanResponse.count) > 1_650 || !isInRange {
        return "an advertising set has at most 1650 octets, and an interval from 20 ms to 10.24 s"
      }
      if request.isConnectable && request.isScannable
        || request.isAnonymous && (request.isConnectable || request.isScannable)
      {
        return "a set with extended PDUs is connectable, scannable, or neither and then perhaps anonymous"
      }
      if !(request.isScannable ? request.data : request.scanResponse).isEmpty {
        return "a scannable set with extended PDUs has a scan response only, and others have data only"
      }
      let known: [UInt8] = [1] + (phone.radio.supports2M ? [2] : []) + (phone.radio.supportsCoded ? [3] : [])
      if request.primaryPHY == 2 || !known.contains(request.primaryPHY) || !known.contains(request.secondaryPHY) {
        return "the phone does not advertise on such PHYs"
      }
    }
    return mayAdvertise ? nil : "the app is in the background"
  }

  func endSet(_ number: UInt8) {
    sets.removeAll { $0.request.set == number }
    host.stopAdvertisingSet(number)
  }

  func forgetSets() {
    for set in sets { host.stopAdvertisingSet(set.request.set) }
    sets.removeAll()
  }

  /// Begins, changes or ends sets, by what the app wants and the platform allows.
  func refreshSets() {
    for place in sets.indices where !sets[place].hasEnded {
      let set = sets[place]
      let interval = isInBackground ? phone.background.advertisingInterval : set.request.interval
      guard mayAdvertise else {
        if set.interval != nil { host.stopAdvertisingSet(set.request.set) }
        sets[place].interval = nil
        continue
      }
      if set.interval == interval { continue }
      sets[place].interval = interval
      start(set, every: interval)
      remarkOnAdvertising(every: interval)
    }
  }

  private func start(_ set: WantedSet, every interval: UInt16) {
    switch set.request {
    case .legacy(let request):
      let other: HCI.AdvertisingParameters.Kind =
        request.scanResponse.isEmpty ? .nonConnectableUndirected : .scannableUndirected
      host.startAdvertisingSet(
        request.set, from: set.address, data: request.data, scanResponse: request.scanResponse, interval: interval,
        kind: request.isConnectable ? .connectableUndirected : other)
    case .extended(let request):
      var manner = ExtendedAdvertisingManner()
      (manner.isConnectable, manner.isScannable) = (request.isConnectable, request.isScannable)
      (manner.isAnonymous, manner.includesTxPower) = (request.isAnonymous, request.includesTxPower)
      manner.primaryPHY = HCI.AdvertisingPHY(request.primaryPHY)
      manner.secondaryPHY = HCI.AdvertisingPHY(request.secondaryPHY)
      host.startAdvertisingSet(
        request.set, from: set.address, data: request.data, scanResponse: request.scanResponse, interval: interval,
        kind: .nonConnectableUndirected, manner: manner)
    }
  }

  func setStarted(_ number: UInt8, _ status: HCI.ErrorCode) {
    guard let place = sets.firstIndex(where: { $0.request.set == number }) else { return }
    let isAwaited = sets[place].isAwaited
    sets[place].isAwaited = false
    if status != .success {
      refusedAdvertising(status)
      sets.remove(at: place)
    }
    if isAwaited || status != .success { tell(.gap(.setStarted(number, status == .success))) }
  }

  func setEnded(_ number: UInt8) {
    guard let place = sets.firstIndex(where: { $0.request.set == number }) else { return }
    sets[place].interval = nil
    sets[place].hasEnded = true
    tell(.gap(.setEnded(number)))
  }

  /// The phone changes its address: sets begin again, from other addresses, with the next `refreshSets`.
  func changeAddressesOfSets() {
    for place in sets.indices {
      host.stopAdvertisingSet(sets[place].request.set)
      sets[place].interval = nil
      sets[place].address = drawAddress(of: sets[place].request.set)
    }
  }

  /// For people; empty without sets.
  var addressesOfSets: String {
    sets.isEmpty ? "" : ", and of its advertising sets " + sets.map { "\($0.address)" }.joined(separator: ", ")
  }

  private func drawAddress(of set: UInt8) -> BluetoothAddress {
    guard var privacy else {
      return BluetoothAddress(kind: .random, bits: configuration.address.bits ^ UInt64(set) << 20)
    }
    defer { self.privacy = privacy }
    return PrivateAddress.draw(privacy.key, &privacy.stream)
  }
}
