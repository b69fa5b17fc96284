import BluetoothWire
import SimKernel

/// How an advertising set advertises, whichever command said it (Vol 4, Part E, 7.8.5 and 7.8.53).
struct AdvertisingSetup {
  var kind = HCI.AdvertisingParameters.Kind.connectableUndirected
  /// Units of 0.625 ms; the shortest that the host allows is used.
  var interval: UInt32 = 0x0800
  var ownAddress = HCI.OwnAddressType.publicDevice
  var peer = BluetoothAddress(kind: .publicDevice, bits: 0)
  /// Bits 0, 1, 2: channel indices 37, 38, 39.
  var channelMap: UInt8 = 0x07
  /// Bit 0: scan requests, bit 1: connection requests only from the filter accept list.
  var filterPolicy: UInt8 = 0
  var reportsScanRequests = false

  /// With PDUs of extended advertising, `kind` counts for nothing; nil: legacy PDUs.
  var extended: ExtendedSetup?

  var isDirected: Bool { extended?.isDirected ?? kind.isDirected }
  var isConnectable: Bool { extended.map { $0.mode == .connectable } ?? kind.isConnectable }
  /// It has advertising data.
  var takesData: Bool { extended.map { $0.mode != .scannable } ?? !kind.isDirected }
  var isScannable: Bool {
    extended.map { $0.mode == .scannable } ?? (kind == .connectableUndirected || kind == .scannableUndirected)
  }
}

/// One advertising set of a radio: what it says, and where its present advertising event is (Vol 6, Part B, 4.4.2).
final class Advertiser {
  /// A device that answered an advertising PDU.
  struct Response {
    var radio: Int
    /// Its address as the answer carries it.
    var address: BluetoothAddress
    /// CONNECT_IND; nil is SCAN_REQ.
    var connect: LL.ConnectInd?
    /// With CONNECT_IND, where the first anchor is in its window; nil: drawn.
    var anchorWithin: SimDuration? = nil
    var pdu: [UInt8]
    var start: SimInstant
    var end: SimInstant
    var phy = LL.AirPHY.le1M
    /// What was sent instead by a hostile device.
    var disguise: Disguise?

    /// CONNECT_IND as the advertiser heard it.
    var heardConnect: LL.ConnectInd? { disguise.map(\.connect) ?? connect }
  }

  /// An answer that its sender's controller knows nothing of.
  struct Disguise {
    /// AdvA; nil: no answer at all.
    var advertiser: BluetoothAddress?
    var connect: LL.ConnectInd?
  }

  /// Place in the radio's array.
  let index: Int
  unowned(unsafe) let radio: Radio
  /// Advertising_Handle; nil for the set that legacy commands use, and for a free place.
  var setHandle: UInt8?
  @exclusivity(unchecked) var isEnabled = false
  @exclusivity(unchecked) var setup = AdvertisingSetup()
  @exclusivity(unchecked) var data: [UInt8] = []
  @exclusivity(unchecked) var scanResponse: [UInt8] = []
  /// Data and scan response of which the host has not given the last fragment (Vol 4, Part E, 7.8.54, 7.8.55).
  var partialData: [UInt8]?
  var partialResponse: [UInt8]?
  /// The random address of a set (Vol 4, Part E, 7.8.52).
  var randomAddress: BluetoothAddress?
  /// Units of 10 ms after which advertising ends, 0 for never.
  var duration: UInt16 = 0
  /// Advertising events after which it ends, 0 for never.
  var maximumEvents: UInt8 = 0
  var completedEvents: UInt8 = 0
  var timeout: EventHandle?
  @exclusivity(unchecked) var stream: RandomStream
  /// The next advertising event, or the next step of the current one.
  @exclusivity(unchecked) var handle: EventHandle?
  var eventStart = SimInstant.zero
  /// AdvA and TargetA of the present advertising event.
  @exclusivity(unchecked) var address = BluetoothAddress(kind: .publicDevice, bits: 0)
  var target = BluetoothAddress(kind: .publicDevice, bits: 0)
  /// Channel index of the PDU on the air: 37 … 39, or 0 … 36 on the secondary channels.
  @exclusivity(unchecked) var channelIndex: UInt8 = 37
  /// The PHY of that PDU.
  @exclusivity(unchecked) var phy = LL.AirPHY.le1M
  /// What a set with extended PDUs has on the secondary channels.
  lazy var auxiliary = AuxiliaryState(
    stream: RandomStream(
      seed: radio.seed, component: "radio/" + radio.configuration.name, purpose: "auxiliary/\(index)"))
  /// Periodic advertising, where the host has set it up.
  var train: PeriodicTrain?
  @exclusivity(unchecked) var pduStart = SimInstant.zero
  @exclusivity(unchecked) var pdu: [UInt8] = []
  @exclusivity(unchecked) var responses: [Response] = []
  /// While it listens for an answer of a program: when that begins.
  var answerDue: SimInstant?
  /// Whom those who hear `pdu` hear; another than this one when a hostile device sent something else, nil when that
  /// cannot be read.
  @exclusivity(unchecked) unowned(unsafe) var heard: Advertiser?
  /// Keeps it.
  private var ghost: Advertiser?

  init(index: Int, radio: Radio, stream: RandomStream) {
    self.index = index
    self.radio = radio
    self.stream = stream
  }

  /// A hostile device sends a PDU in place of its own.
  func say(_ octets: [UInt8]) {
    pdu = octets
    ghost = Advertiser(index: index, radio: radio, stream: stream)
    heard = ghost?.reads(octets, kind: setup.kind) == true ? ghost : nil
  }

  /// Takes over what an advertising PDU says of its sender.
  /// - Returns: false when it says nothing.
  private func reads(_ octets: [UInt8], kind: HCI.AdvertisingParameters.Kind) -> Bool {
    setup.kind = kind
    switch try? LL.AdvertisingPDU(decoding: octets) {
    case .advInd(let advertiser, let data, _):
      (address, self.data, setup.kind) = (advertiser, data, .connectableUndirected)
    case .advScanInd(let advertiser, let data):
      (address, self.data, setup.kind) = (advertiser, data, .scannableUndirected)
    case .advNonconnInd(let advertiser, let data):
      (address, self.data, setup.kind) = (advertiser, data, .nonConnectableUndirected)
    case .advDirectInd(let advertiser, let target, _):
      (address, self.target, setup.kind) = (advertiser, target, .connectableDirectedLowDuty)
    case .scanRsp(let advertiser, let data): (address, scanResponse) = (advertiser, data)
    default: return false
    }
    return true
  }

  /// What the host has set up is gone; the clockwork (`handle`, `stream`) stays.
  func forget() {
    setHandle = nil
    setup = AdvertisingSetup()
    data = []
    scanResponse = []
    partialData = nil
    partialResponse = nil
    randomAddress = nil
    duration = 0
    maximumEvents = 0
    completedEvents = 0
    train = nil
  }
}
