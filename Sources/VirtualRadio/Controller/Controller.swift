public import BluetoothWire
public import SimKernel

/// One device's LE controller: HCI commands and data in, HCI events and data out, a link layer below.
///
/// Commands take effect immediately; what a controller wants to say waits in its outbox until the owner of the world
/// hands it to the host, so no caller is called back in the middle of something. Spec: Core v5.4, Vol 4, Part E.
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
  @exclusivity(unchecked) private(set) var wantsHCI = false
  /// Links whose one end is here, and these ends, in the same order.
  let links = Roster<Connection>()
  let ends = Roster<LinkEnd>()
  private let outbox = Fifo<Upward>()
  private let waiting: Fifo<Int>
  @exclusivity(unchecked) private var isAnnounced = false
  private var handles: HCI.ConnectionHandle = 0x003F
  /// A public address that the host has given it (`Controller+Vendor`).
  var writtenAddress: BluetoothAddress?
  var randomAddress: BluetoothAddress?
  var filterAcceptList: [BluetoothAddress] = []
  var resolvingList = ResolvingList()
  var synchronising = Synchronising()
  var hostChannelMap: UInt64 = 0x1F_FFFF_FFFF
  /// What the host suggests for new links (Vol 4, Part E, 7.8.35); time in microseconds.
  var suggested: (octets: UInt16, time: UInt16) = (27, 328)
  /// nil: no preference for that direction.
  var preferredPHYs: (tx: HCI.PHYMask?, rx: HCI.PHYMask?) = (nil, nil)
  @exclusivity(unchecked) var aclInUse = 0
  var streamGroups: [StreamGroup] = []
  /// Those that the host has asked for, and not been told of.
  var creatingStreams: [HCI.StreamPair] = []
  var isoInUse = 0
  @exclusivity(unchecked) var masks = EventMasks()
  @exclusivity(unchecked) var hostFlow = HostFlow()
  var hostSettings = HostSettings()
  /// Which kind of advertising commands the host uses; nil as long as it has used none.
  var advertisingCommands: AdvertisingCommands?
  /// Addresses whose scan response has been reported since scanning began.
  var scanResponses: [BluetoothAddress] = []

  /// What waits for the host. HCI_Number_Of_Completed_Packets, which comes for every packet, has no list in here.
  private enum Upward {
    case acl(HCI.ACLData)
    case iso(HCI.ISOData)
    /// One ACL packet of a link.
    case completed(HCI.ConnectionHandle)
    case event(HCI.Event)

    var message: HCI.ToHost {
      switch self {
      case .acl(let data): .acl(data)
      case .iso(let data): .iso(data)
      case .completed(let handle):
        .event(.numberOfCompletedPackets([HCI.CompletedPackets(handle: handle, count: 1)]))
      case .event(let event): .event(event)
      }
    }
  }

  enum AdvertisingCommands {
    case legacy, extended
  }

  /// Its ACL buffers, shared by all links, and their size in octets.
  private let aclBuffers: Int
  private let aclBufferLength: Int

  /// - Parameter waiting: gets the device's index when there is something for its host.
  init(device: Int, configuration: RadioConfiguration, waiting: Fifo<Int>) {
    self.device = device
    self.waiting = waiting
    aclBuffers = configuration.aclBuffers
    aclBufferLength = configuration.aclBufferLength
  }

  func attach(world: RadioWorld, radio: Radio) {
    self.world = world
    self.radio = radio
    wantsHCI = world.wantsHCI
  }

  // MARK: Upward

  /// The next thing for the host, in order.
  public func popForHost() -> HCI.ToHost? {
    guard let next = outbox.popFirst() else {
      isAnnounced = false
      return nil
    }
    let message = next.message
    if wantsHCI {
      switch message {
      case .event(let event): world.observer?.observe(.hciEvent(event), device: device)
      case .acl(let data): world.observer?.observe(.aclToHost(data), device: device)
      case .iso(let data): world.observer?.observe(.isoToHost(data), device: device)
      }
    }
    return message
  }

  /// Hands all that waits to our own host stack: the same as `popForHost` and `HostStack.receive` by turns.
  public func handOver(to host: HostStack, at now: SimInstant) {
    if wantsHCI {
      while let message = popForHost() { host.receive(message, at: now) }
      return
    }
    while let next = outbox.popFirst() {
      switch consume next {
      case .acl(let data): host.receive(data, at: now)
      case .iso(let data): host.receive(.iso(data), at: now)
      case .completed(let handle): host.receiveCompletedPacket(handle, at: now)
      case .event(let event): host.receive(.event(event), at: now)
      }
    }
    isAnnounced = false
  }

  /// Tells the host, unless it has masked the event.
  func emit(_ event: consuming HCI.Event) {
    if masks.admit(event) { push(.event(event)) }
  }

  func deliver(_ data: consuming HCI.ACLData) {
    if hostFlow.isOn { push(hostFlow.take(data)) } else { push(.acl(consume data)) }
  }

  /// Isochronous data is not subject to the host's flow control (Vol 4, Part E, 4.2).
  func deliver(_ data: consuming HCI.ISOData) { push(.iso(consume data)) }

  func push(_ data: [HCI.ACLData]) {
    for packet in data { push(.acl(packet)) }
  }

  private func push(_ message: consuming Upward) {
    outbox.append(consume message)
    if !isAnnounced {
      isAnnounced = true
      waiting.append(device)
    }
  }

  /// The last PDU of an ACL packet was acknowledged: its buffer is free.
  func packetCompleted(_ end: LinkEnd) {
    aclInUse -= 1
    assert(aclInUse >= 0, "no more buffers become free than were in use")
    push(.completed(end.handle))
  }

  // MARK: Downward

  /// Host to controller ACL data (Vol 4, Part E, 4.1): goes to the link's queue; the host counts buffers.
  ///
  /// Data for a handle that is gone is dropped silently, as controllers do; data beyond the buffers is dropped and
  /// reported with a hardware error, because the host broke flow control.
  public func submit(_ data: consuming HCI.ACLData) {
    if wantsHCI { world.observer?.observe(.aclToController(data), device: device) }
    guard let place = place(of: data.handle), !ends.with(place, { $0.isTerminating }) else { return }
    guard aclInUse < aclBuffers, data.octets.count <= aclBufferLength else {
      emit(.hardwareError(0x01))
      return
    }
    if data.octets.isEmpty {
      // A start fragment of no length cannot go on the air (Vol 6, Part B, 2.4.1).
      return emit(.numberOfCompletedPackets([HCI.CompletedPackets(handle: data.handle, count: 1)]))
    }
    aclInUse += 1
    links.with(place) { if $0.isParked { world.unpark($0) } }
    ends.with(place, taking: data) { $0.enqueue($1) }
  }

  public func submit(_ command: HCI.Command) {
    if wantsHCI { world.observer?.observe(.hciCommand(command), device: device) }
    execute(command)
  }

  func link(_ handle: HCI.ConnectionHandle) -> (Connection, LinkEnd)? {
    place(of: handle).map { (links[$0], ends[$0]) }
  }

  private func place(of handle: HCI.ConnectionHandle) -> Int? { ends.firstIndex { $0.handle == handle } }

  /// Handles are not reused before all have been used (0x0040 … 0x0EFF).
  func nextHandle() -> HCI.ConnectionHandle {
    repeat {
      handles = handles >= 0x0EFF ? 0x0040 : handles + 1
    } while link(handles) != nil || isStream(handles)
    return handles
  }

  /// Back to the state after power-on (Vol 4, Part E, 7.3.2); links end without a PDU on the air.
  func reset() {
    for set in radio.advertisers {
      world.stopAdvertising(set)
      world.stopTrain(set)
      set.forget()
    }
    for sync in syncs { world.end(sync) }
    synchronising = Synchronising()
    world.stopScanning(radio)
    radio.scanner.forget()
    world.dropAll(of: radio, reason: .connectionTerminatedByLocalHost)
    streamGroups.removeAll()
    creatingStreams.removeAll()
    assert(isoInUse == 0, "without streams no buffer is in use")
    outbox.removeAll()
    filterAcceptList.removeAll()
    resolvingList = ResolvingList()
    hostChannelMap = 0x1F_FFFF_FFFF
    suggested = (27, 328)
    preferredPHYs = (nil, nil)
    assert(aclInUse == 0, "without links no buffer is in use")
    aclInUse = 0
    randomAddress = nil
    masks = EventMasks()
    advertisingCommands = nil
    scanResponses.removeAll()
    radio.keys.pair = nil
    hostFlow = HostFlow()
    hostSettings = HostSettings()
    radio.claimedAccuracy = radio.configuration.claimedClockAccuracy
  }

  // MARK: From the link layer

  /// Forgets what a link still had to send; its buffers are free (the host takes its credits back with the link).
  func discard(_ end: LinkEnd) {
    aclInUse -= end.acl.count
    assert(aclInUse >= 0, "no more buffers become free than were in use")
    end.acl.removeAll()
    end.aclOffset = 0
  }

  func disconnected(_ end: LinkEnd, reason: HCI.ErrorCode) {
    // A packet of which fragments are out is still in the queue; one whose last fragment is out is not.
    aclInUse -= end.inFlight?.completesPacket == true ? 1 : 0
    discard(end)
    emit(.disconnectionComplete(end.handle, status: .success, reason: reason))
    if hostFlow.isOn { push(hostFlow.forget(end.handle)) }
  }
}
