public import BluetoothWire
import SimKernel

/// One device's LE controller: HCI commands in, HCI events and ACL data out, a link layer below.
///
/// Commands take effect at once; what a controller wants to say waits in its outbox until the owner of the world hands
/// it to the host, so nobody is called back in the middle of something. Spec: Core v5.4, Vol 4, Part E.
public final class Controller: HCIDoor {
  /// Core 5.4 (assigned number 0x0D), as `HCI_Read_Local_Version_Information` and LL_VERSION_IND tell.
  static let version: UInt8 = 0x0D
  /// 0xFFFF: no company, for internal use (Assigned Numbers, 7.1).
  static let companyIdentifier: UInt16 = 0xFFFF
  static let subversion: UInt16 = 0x0001

  /// Dense index of the device.
  public let device: Int
  unowned(unsafe) private(set) var world: RadioWorld!
  unowned(unsafe) private(set) var radio: Radio!
  private let outbox = Fifo<HCI.ToHost>()
  @exclusivity(unchecked) private var isAnnounced = false
  private var handles: HCI.ConnectionHandle = 0x003F
  private(set) var randomAddress: BluetoothAddress?
  var filterAcceptList: [BluetoothAddress] = []
  var hostChannelMap: UInt64 = 0x1F_FFFF_FFFF
  var defaultTxOctets = 27
  @exclusivity(unchecked) var aclInUse = 0
  var leEventMask: UInt64 = 0x1F
  /// Addresses whose scan response has been reported since scanning began.
  private var scanResponses: [BluetoothAddress] = []
  static let filterAcceptListSize = 16

  init(device: Int) { self.device = device }

  func attach(world: RadioWorld, radio: Radio) {
    self.world = world
    self.radio = radio
  }

  // MARK: Upward

  /// The next thing for the host, in order.
  public func popForHost() -> HCI.ToHost? {
    guard let next = outbox.popFirst() else {
      isAnnounced = false
      return nil
    }
    if world.wantsHCI {
      switch next {
      case .event(let event): world.observer?.observe(.hciEvent(event), device: device)
      case .acl(let data): world.observer?.observe(.aclToHost(data), device: device)
      }
    }
    return next
  }

  func emit(_ event: HCI.Event) { push(.event(event)) }

  func deliver(_ data: HCI.ACLData) { push(.acl(data)) }

  private func push(_ message: HCI.ToHost) {
    outbox.append(message)
    if !isAnnounced {
      isAnnounced = true
      world.announce(self)
    }
  }

  func completed(_ handle: HCI.ConnectionHandle, count: UInt16) {
    aclInUse -= Int(count)
    emit(.numberOfCompletedPackets([HCI.CompletedPackets(handle: handle, count: count)]))
  }

  // MARK: Downward

  /// Host to controller ACL data (Vol 4, Part E, 4.1): goes to the link's queue; the host counts buffers.
  ///
  /// Data for a handle that is gone is dropped silently, as controllers do; data beyond the buffers is dropped and
  /// reported with a hardware error, because the host broke flow control.
  public func submit(_ data: HCI.ACLData) {
    if world.wantsHCI { world.observer?.observe(.aclToController(data), device: device) }
    guard let (connection, end) = link(data.handle), !end.isTerminating else { return }
    guard aclInUse < radio.configuration.aclBuffers, data.octets.count <= radio.configuration.aclBufferLength else {
      emit(.hardwareError(0x01))
      return
    }
    aclInUse += 1
    if connection.isParked { world.unpark(connection) }
    end.acl.append(data)
  }

  public func submit(_ command: HCI.Command) {
    if world.wantsHCI { world.observer?.observe(.hciCommand(command), device: device) }
    execute(command)
  }

  func link(_ handle: HCI.ConnectionHandle) -> (Connection, LinkEnd)? {
    guard let index = radio.handles.firstIndex(of: handle) else { return nil }
    let connection = radio.links[index]
    return (connection, connection.end(at: radio))
  }

  /// The resolvable types fall back, as with an empty resolving list.
  func ownAddress(_ type: HCI.OwnAddressType) -> BluetoothAddress {
    type.fallback == .random ? randomAddress ?? radio.configuration.address : radio.configuration.address
  }

  func setRandomAddress(_ address: BluetoothAddress) { randomAddress = address }

  /// Handles are not reused before the space is through (0x0040 … 0x0EFF).
  func nextHandle() -> HCI.ConnectionHandle {
    repeat {
      handles = handles >= 0x0EFF ? 0x0040 : handles + 1
    } while link(handles) != nil
    return handles
  }

  /// Back to the state after power-on; links end without a word on the air.
  func reset() {
    world.stopAdvertising(radio)
    radio.scanner.isScanning = false
    radio.scanner.creation = nil
    world.dropAll(of: radio, reason: .connectionTerminatedByLocalHost)
    outbox.removeAll()
    filterAcceptList.removeAll()
    hostChannelMap = 0x1F_FFFF_FFFF
    defaultTxOctets = 27
    aclInUse = 0
    randomAddress = nil
    leEventMask = 0x1F
    radio.advertiser.data = []
    radio.advertiser.scanResponse = []
  }

  // MARK: From the link layer

  func connected(_ connection: Connection, _ end: LinkEnd, peer: BluetoothAddress) {
    emit(
      .leConnectionComplete(
        HCI.ConnectionComplete(
          status: .success, handle: end.handle, role: end.role, peer: peer, interval: connection.intervalUnits,
          peripheralLatency: connection.latency, supervisionTimeout: connection.timeoutUnits,
          centralClockAccuracy: connection.centralClockAccuracy)))
    if leEventMask & 1 << 19 != 0 {
      emit(
        .leChannelSelectionAlgorithm(end.handle, algorithm: connection.usesChannelSelection2 ? 1 : 0))
    }
    if defaultTxOctets > 27 {
      end.maxTxOctets = defaultTxOctets
      world.start(.dataLength, end, connection)
    }
  }

  /// Forgets what a link still had to send; its buffers are free (the host takes its credits back with the link).
  func discard(_ end: LinkEnd) {
    aclInUse -= end.acl.count
    end.acl.removeAll()
    end.aclOffset = 0
  }

  func disconnected(_ end: LinkEnd, reason: HCI.ErrorCode) {
    // A packet of which fragments are out is still in the queue; one whose last fragment is out is not.
    aclInUse -= Int(end.completedPackets) + (end.inFlight?.completesPacket == true ? 1 : 0)
    discard(end)
    emit(.disconnectionComplete(end.handle, status: .success, reason: reason))
  }

  // MARK: Scanning reports

  func scanningBegins() {
    radio.scanner.reported.removeAll(keepingCapacity: true)
    scanResponses.removeAll(keepingCapacity: true)
  }

  func hasScanResponse(of address: BluetoothAddress) -> Bool {
    radio.scanner.filtersDuplicates && scanResponses.contains(address)
  }

  func advertisingReport(from advertiser: Radio, address: BluetoothAddress) {
    let kind: HCI.AdvertisingReport.Kind =
      switch advertiser.advertiser.parameters.kind {
      case .connectableUndirected: .advInd
      case .connectableDirectedHighDuty, .connectableDirectedLowDuty: .advDirectInd
      case .scannableUndirected: .advScanInd
      case .nonConnectableUndirected: .advNonconnInd
      }
    report(kind, address, advertiser.advertiser.data, advertiser)
  }

  func scanResponseReport(from advertiser: Radio) {
    let address = advertiser.controller.ownAddress(advertiser.advertiser.parameters.ownAddressType)
    if !scanResponses.contains(address) { scanResponses.append(address) }
    report(.scanRsp, address, advertiser.advertiser.scanResponse, advertiser)
  }

  /// Reports an advertiser; with duplicate filtering each (kind, address, data) once per scan.
  private func report(
    _ kind: HCI.AdvertisingReport.Kind, _ address: BluetoothAddress, _ data: [UInt8], _ advertiser: Radio
  ) {
    if radio.scanner.parameters.filterPolicy & 1 == 1, !filterAcceptList.contains(address) { return }
    let entry = HCI.AdvertisingReport(kind: kind, address: address, data: data, rssi: 0)
    if radio.scanner.filtersDuplicates {
      if radio.scanner.reported.contains(entry) { return }
      if radio.scanner.reported.count == 64 { radio.scanner.reported.removeFirst() }
      radio.scanner.reported.append(entry)
    }
    emit(
      .leAdvertisingReport(
        HCI.AdvertisingReport(
          kind: kind, address: address, data: data, rssi: world.rssi(from: advertiser.index, to: radio.index))))
  }
}
