public import BluetoothWire

/// What an app asks of Generic Access beyond `AppEffect`: advertisements whole, every packet of them, other intervals,
/// and that the system keeps what it has when it ends the app.
///
/// An app scans by these words or by `AppEffect.scan`, and is told of advertisers in the same words.
/// Spec: Core v5.4, Vol 3, Part C, 9.
public enum GAPEffect: Hashable, Sendable {
  /// What the system does by itself and tells an app that wants to know, from here on: bonds that begin and end
  /// (`GAPInput.bond`; those that there are come at once), parameters and PHYs of links (`GAPInput.parameters`, `phy`).
  /// It holds for one launch. No other answer.
  case watch(bonds: Bool, links: Bool)
  /// Removes the bond with the device at an address, as a person does in the settings. A link stays. No answer.
  case forgetBond(BluetoothAddress)
  /// Wishes a link to use one of these PHYs each way: the sum of 1 (LE 1M), 2 (LE 2M) and 4 (LE Coded); and on LE Coded
  /// to send with two (1) or eight (2) symbols a bit, nil without a wish. Answered by `GAPInput.phy`.
  case preferPHY(LinkID, tx: UInt8, rx: UInt8, coding: UInt8? = nil)
  /// How the app's advertisements are sent from the next one on, whatever word it is of: the interval in foreground, in
  /// units of 0.625 ms, 0x0020 … 0x4000, others are ignored. Not connectable: what is sent can be scanned
  /// (ADV_SCAN_IND) where there is scan response data, else not (ADV_NONCONN_IND). It holds for one launch. No answer.
  case advertiseEvery(UInt16, isConnectable: Bool)
  /// Scans; ended by `AppEffect.stopScanning`. Advertisers are told by `GAPInput.heard`.
  case scan(ScanRequest)
  /// Advertises these octets as they are, at most 31 of each; answered and ended as `AppEffect.advertise`. Data that is
  /// too long is refused.
  case advertise(data: [UInt8], scanResponse: [UInt8])
  /// Advertises at the same time as `AppEffect.advertise` and other sets, from an address of its own; ended by
  /// `endSet`. Asked again, the set advertises something else. Answered by `GAPInput.setStarted`.
  case advertiseSet(AdvertisingSetRequest)
  /// The same with extended PDUs, which a phone has where its preset says so (`PhonePreset.AdvertisingHabits`).
  case advertiseExtended(ExtendedSetRequest)
  /// As `scan`, and extended advertising is told, too, by `GAPInput.heardExtended`.
  /// - Parameter phys: where it is looked for: bit 0 LE 1M, bit 2 LE Coded.
  case scanExtended(ScanRequest, phys: UInt8)
  /// The set with a number is no longer on the air. No answer.
  case endSet(UInt8)
  /// Wishes the connection interval of a link to be in a range, units of 1.25 ms, 6 … 3200: the central changes it, the
  /// peripheral asks. No answer.
  case requestInterval(LinkID, shortest: UInt16, longest: UInt16)
  /// Encrypts a link with the key of a bond, or pairs; answer `GAPInput.paired`. Apps on phones need no such word,
  /// because their system pairs when something is refused for want of it; on a computer a program asks.
  case pair(LinkID)
  /// Whether the system keeps links, attempts, services, advertising and the scan of the app when it ends the app for
  /// want of memory, and launches it again for what Bluetooth has for it. It holds for one launch. No answer.
  case preserve(Bool)
}

extension GAPEffect: AppStatement {
  public static let words: [GAPEffect] = [
    .scan(ScanRequest(services: [])), .advertise(data: [], scanResponse: []),
    .requestInterval(LinkID(0), shortest: 0, longest: 0), .preserve(false), .pair(LinkID(0)),
    .watch(bonds: false, links: false), .forgetBond(BluetoothAddress(kind: .random, bits: 0)),
    .preferPHY(LinkID(0), tx: 0, rx: 0), .advertiseEvery(0, isConnectable: false),
    .advertiseSet(AdvertisingSetRequest()), .endSet(0), .advertiseExtended(ExtendedSetRequest()),
    .scanExtended(ScanRequest(services: []), phys: 1),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .scan(var request):
      try visitor.word("gap.scan")
      try request.visit(&visitor)
      self = .scan(request)
    case .scanExtended(var request, var phys):
      try visitor.word("gap.scanExtended")
      try request.visit(&visitor)
      try visitor.field("phys", &phys)
      self = .scanExtended(request, phys: phys)
    case .advertiseExtended(var request):
      try visitor.word("gap.advertiseExtended")
      try request.visit(&visitor)
      self = .advertiseExtended(request)
    case .advertise(var data, var scanResponse):
      try visitor.word("gap.advertise")
      try visitor.field("data", &data)
      try visitor.field("scanResponse", &scanResponse)
      self = .advertise(data: data, scanResponse: scanResponse)
    case .requestInterval(var link, var shortest, var longest):
      try visitor.word("gap.requestInterval")
      try visitor.field("link", &link)
      try visitor.field("shortest", &shortest)
      try visitor.field("longest", &longest)
      self = .requestInterval(link, shortest: shortest, longest: longest)
    case .pair(var link):
      try visitor.word("gap.pair")
      try visitor.field("link", &link)
      self = .pair(link)
    case .preserve(var isOn):
      try visitor.word("gap.preserve")
      try visitor.field("on", &isOn)
      self = .preserve(isOn)
    case .watch(var bonds, var links):
      try visitor.word("gap.watch")
      try visitor.field("bonds", &bonds)
      try visitor.field("links", &links)
      self = .watch(bonds: bonds, links: links)
    case .forgetBond(var address):
      try visitor.word("gap.forgetBond")
      try visitor.peer(&address)
      self = .forgetBond(address)
    case .preferPHY(var link, var tx, var rx, var coding):
      try visitor.word("gap.preferPHY")
      try visitor.field("link", &link)
      try visitor.field("tx", &tx)
      try visitor.field("rx", &rx)
      try visitor.field("coding", &coding)
      self = .preferPHY(link, tx: tx, rx: rx, coding: coding)
    case .advertiseEvery(var interval, var isConnectable):
      try visitor.word("gap.advertiseEvery")
      try visitor.field("interval", &interval)
      try visitor.field("connectable", &isConnectable)
      self = .advertiseEvery(interval, isConnectable: isConnectable)
    case .advertiseSet(var request):
      try visitor.word("gap.advertiseSet")
      try visitor.field("set", &request.set)
      try visitor.field("data", &request.data)
      try visitor.field("scanResponse", &request.scanResponse)
      try visitor.field("interval", &request.interval)
      try visitor.field("connectable", &request.isConnectable)
      self = .advertiseSet(request)
    case .endSet(var set):
      try visitor.word("gap.endSet")
      try visitor.field("set", &set)
      self = .endSet(set)
    }
  }
}

extension WordVisitor {
  /// The address of another device. The text does not say the kind; peers of the bench have random addresses.
  mutating func peer(_ address: inout BluetoothAddress) throws(Failure) {
    let before = address.description
    var text = before
    try field("address", &text)
    if text != before, let bits = BluetoothAddress.bits(of: text) {
      address = BluetoothAddress(kind: .random, bits: bits)
    }
  }
}
