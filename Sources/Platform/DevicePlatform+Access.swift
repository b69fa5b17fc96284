import AppSeam
import BluetoothWire
import SimKernel
import VirtualRadio

/// What an app wants to be on the air.
enum WantedAdvertisement: Hashable {
  case request(AdvertisementRequest)
  case octets(data: [UInt8], scanResponse: [UInt8])
}

/// How an app wants it to be sent.
struct AdvertisingManner {
  /// In foreground, units of 0.625 ms.
  var interval: UInt16
  var isConnectable: Bool
}

/// Apps that want advertisements whole, and intervals of links.
extension DevicePlatform {
  func perform(_ effect: GAPEffect) {
    switch effect {
    case .scan(let request): scan(request.services, whole: request)
    case .scanExtended(let request, let phys):
      let primary: HCI.PHYMask = phone.radio.supportsCoded ? [.le1M, .leCoded] : .le1M
      scan(
        request.services, whole: request,
        extendedOn: phone.advertising.isExtended ? HCI.PHYMask(rawValue: phys).intersection(primary) : [])
    case .advertise(let data, let scanResponse): advertise(.octets(data: data, scanResponse: scanResponse))
    case .advertiseSet(let request): advertise(.legacy(request))
    case .advertiseExtended(let request): advertise(.extended(request))
    case .endSet(let number): endSet(number)
    case .requestInterval(let id, let shortest, let longest):
      guard let link = link(id), shortest <= longest else { return }
      if host.requestInterval(link.handle, shortest...longest) { return }
      observe(.parametersRefused, id, "the phone itself refuses the connection parameters asked for")
    case .preserve(let isOn): isPreserved = isOn
    case .pair(let id): if let link = link(id) { pair(link) }
    case .watch(let bonds, let links): watch(bonds: bonds, links: links)
    case .forgetBond(let address):
      if let bond = host.bond(with: address) { forgetBond(bond.identity) }
    case .preferPHY(let id, let tx, let rx, let coding):
      guard let link = link(id) else { return }
      link.physAsked += 1
      host.preferPHY(
        link.handle, tx: HCI.PHYMask(rawValue: tx), rx: HCI.PHYMask(rawValue: rx),
        options: HCI.PHYOptions(rawValue: UInt16(coding ?? 0)))
    case .advertiseEvery(let interval, let isConnectable):
      guard (0x20...0x4000).contains(interval) else { return }
      manner = AdvertisingManner(interval: interval, isConnectable: isConnectable)
    }
  }

  /// - Parameters:
  ///   - whole: what the app asks for that wants advertisements whole.
  ///   - phys: where it looks for extended advertising, too.
  func scan(_ services: [BluetoothUUID], whole: ScanRequest?, extendedOn phys: HCI.PHYMask = []) {
    guard isRadioOn else { return }
    scanFilter = mayBeginScan() ? services : nil
    wholeScan = whole
    extendedPHYs = phys
    refreshScanning()
  }

  /// Whether the phone lets the app begin another scan.
  private func mayBeginScan() -> Bool {
    guard let most = phone.scanning.startsPerHalfMinute else { return true }
    let now = timeline.now
    scanStarts.removeAll { now - $0 >= Self.scanWindow }
    guard scanStarts.count < most else {
      observe(
        .scanRefused, nil,
        "it has begun \(CountedNoun.text(scanStarts.count, "scan")) within 30 s, and gets nothing of another one")
      return false
    }
    scanStarts.append(now)
    return true
  }

  /// Says once that another device can hardly hear this one.
  func remarkOnAdvertising(every interval: UInt16) {
    // In units of 0.625 ms: 2 s.
    guard interval >= 3_200, saidRare.insert(.rareAdvertising).inserted else { return }
    observe(.rareAdvertising, nil, "advertises every \(Self.milliseconds(interval)) ms")
  }

  /// Says once that this device can hardly hear another one.
  func remarkOnScan(_ scan: HCI.ScanParameters) {
    guard Int(scan.window) * 10 < Int(scan.interval), saidRare.insert(.rareScan).inserted else { return }
    observe(
      .rareScan, nil, "listens for \(Self.milliseconds(scan.window)) ms of every \(Self.milliseconds(scan.interval)) ms"
    )
  }

  /// - Parameter units: of 0.625 ms.
  private static func milliseconds(_ units: UInt16) -> String {
    "\(Int(units) * 5 / 8)" + ["", ".125", ".25", ".375", ".5", ".625", ".75", ".875"][Int(units) * 5 % 8]
  }

  /// In which Android counts the scans that an app begins (`AppScanStats`, `EXCESSIVE_SCANNING_PERIOD_MS`).
  private static let scanWindow = SimDuration.seconds(30)

  func advertise(_ wanted: WantedAdvertisement) {
    guard isRadioOn else {
      observe(.advertisingRefused, nil, "Bluetooth is off")
      tell(.advertisingStarted(false))
      return
    }
    advertisement = wanted
    if !mayAdvertise {
      observe(.advertisingRefused, nil, "the app is in the background")
      tell(.advertisingStarted(false))
    }
    refreshAdvertising()
  }

  /// What goes on the air; nil: the phone cannot advertise that.
  func packets(of wanted: WantedAdvertisement) -> (data: [UInt8], scanResponse: [UInt8])? {
    switch wanted {
    case .request(let request):
      guard
        let packets = AdvertisingDataBuilder.build(
          localName: request.localName, serviceUUIDs: request.serviceUUIDs, phone: phone,
          isInBackground: isInBackground)
      else { return nil }
      return (packets.data, packets.scanResponse)
    case .octets(let data, let scanResponse):
      return max(data.count, scanResponse.count) <= 31 ? (data, scanResponse) : nil
    }
  }

  /// What an app may hear of an advertisement. Only the platform that writes the overflow area reads it, and only for
  /// the services it looks for.
  func hear(
    _ address: BluetoothAddress, _ data: [UInt8], _ scanResponse: [UInt8], _ rssi: Int8, _ isConnectable: Bool
  ) -> HeardAdvertiser {
    var advertisement = Advertisement(address: address, data: data, scanResponse: scanResponse, rssi: Int(rssi))
    if phone.background.advertising == .overflowArea, !isInBackground {
      advertisement.serviceUUIDs += (scanFilter ?? []).filter {
        !advertisement.serviceUUIDs.contains($0) && AdvertisingDataBuilder.overflowArea(in: data, mayHold: $0)
      }
    }
    return HeardAdvertiser(advertisement, data: data, scanResponse: scanResponse, isConnectable: isConnectable)
  }

  /// Tells an app of an advertiser if its scan asks for it, in the words in which it asked.
  /// - Parameter extended: what an extended advertisement says beside.
  func report(_ heard: HeardAdvertiser, isDirected: Bool = false, _ extended: HeardSet? = nil) {
    guard let filter = scanFilter else { return }
    if let wholeScan {
      guard isDirected || wholeScan.fits(heard) else { return }
      guard let extended else { return tell(.gap(.heard(heard))) }
      tell(
        .gap(
          .heardExtended(
            heard, primaryPHY: extended.primaryPHY.rawValue, secondaryPHY: extended.secondaryPHY.rawValue,
            sid: extended.sid)))
    } else if isDirected || filter.isEmpty || heard.advertisement.serviceUUIDs.contains(where: filter.contains) {
      tell(.discovered(heard.advertisement))
    }
  }
}
