import BluetoothWire
import LinkCrypto
import SimKernel

/// Synchronisation with periodic advertising (Vol 4, Part E, 7.8.67 … 7.8.73, 7.8.88, 7.7.65.14 … 7.7.65.16).
extension Controller {
  /// Trains that a controller follows at the same time, and entries of its Periodic Advertiser List.
  static let maximumSyncs = 8
  static let periodicAdvertiserListSize = 8

  /// What a host has asked for.
  struct Synchronising {
    /// A train that it waits for.
    var pending: HCI.PeriodicSyncCreation?
    var list: [HCI.PeriodicAdvertiser] = []
    /// What links to come do with trains that a peer tells of.
    var transfer = HCI.SyncTransferParameters(mode: 0, timeout: 0x0A)
    /// The newest handle.
    var handle: HCI.SyncHandle = 0x0EFF
  }

  /// Trains that it follows or looks for.
  var syncs: [PeriodicSync] { world.syncs.filter { $0.radio === radio } }

  func sync(_ handle: HCI.SyncHandle) -> PeriodicSync? {
    syncs.first { $0.handle == handle && $0.isEstablished }
  }

  func executeSynchronising(_ command: HCI.PeriodicCommand) {
    let whole = HCI.Command.periodic(command)
    switch command {
    case .lePeriodicAdvertisingCreateSync(let creation):
      let problem = problem(of: creation)
      if problem == nil { synchronising.pending = creation }
      status(whole, problem ?? .success)
    case .lePeriodicAdvertisingCreateSyncCancel: cancelSync(whole)
    case .lePeriodicAdvertisingTerminateSync(let handle):
      guard let sync = sync(handle) else { return complete(whole, status: .unknownAdvertisingIdentifier) }
      world.end(sync)
      complete(whole)
    case .leSetPeriodicAdvertisingReceiveEnable(let handle, let enable):
      guard enable.rawValue <= 3 else { return complete(whole, status: .invalidParameters) }
      guard let sync = sync(handle) else { return complete(whole, status: .unknownAdvertisingIdentifier) }
      if enable.contains(.dataInfo) { return complete(whole, status: .unsupportedFeature) }
      sync.reports = enable.contains(.on)
      complete(whole)
    case .leReadPeriodicAdvertiserListSize: complete(whole, [UInt8(Self.periodicAdvertiserListSize)])
    case .lePeriodicAdvertisingSyncTransfer, .lePeriodicAdvertisingSetInfoTransfer,
      .leSetPeriodicAdvertisingSyncTransferParameters, .leSetDefaultPeriodicAdvertisingSyncTransferParameters:
      executeSyncTransfer(command)
    case .leSetPeriodicAdvertisingParametersV2, .leSetPeriodicAdvertisingSubeventData,
      .leSetPeriodicAdvertisingResponseData, .leSetPeriodicSyncSubevent:
      executeSubevents(command)
    default: complete(whole, unless: change(command))
    }
  }

  /// Changes the Periodic Advertiser List; refused while Create Sync is pending.
  private func change(_ command: HCI.PeriodicCommand) -> HCI.ErrorCode? {
    if synchronising.pending != nil { return .commandDisallowed }
    switch command {
    case .leAddDeviceToPeriodicAdvertiserList(let advertiser):
      if advertiser.sid > 0x0F || synchronising.list.contains(advertiser) { return .invalidParameters }
      if synchronising.list.count == Self.periodicAdvertiserListSize { return .memoryCapacityExceeded }
      synchronising.list.append(advertiser)
    case .leRemoveDeviceFromPeriodicAdvertiserList(let advertiser):
      guard let place = synchronising.list.firstIndex(of: advertiser) else { return .unknownAdvertisingIdentifier }
      synchronising.list.remove(at: place)
    case .leClearPeriodicAdvertiserList: synchronising.list.removeAll()
    default: return .unknownCommand
    }
    return nil
  }

  /// Why a host cannot have this (7.8.67).
  private func problem(of creation: HCI.PeriodicSyncCreation) -> HCI.ErrorCode? {
    if creation.options.rawValue > 7 || creation.skip > 499 || !(0x0A...0x4000).contains(creation.timeout) {
      return .invalidParameters
    }
    let usesList = creation.options.contains(.usesList)
    if !usesList, creation.advertiser.sid > 0x0F { return .invalidParameters }
    if synchronising.pending != nil || creation.cteType & 0x1F == 0x1F { return .commandDisallowed }
    // Without ADI in trains nothing can be told to be a duplicate.
    if creation.options.contains(.filtersDuplicates) { return .unsupportedFeature }
    if !usesList, syncs.contains(where: { $0.advertiser == creation.advertiser }) { return .connectionAlreadyExists }
    return syncs.count >= Self.maximumSyncs ? .memoryCapacityExceeded : nil
  }

  private func cancelSync(_ command: HCI.Command) {
    guard let creation = synchronising.pending else { return complete(command, status: .commandDisallowed) }
    synchronising.pending = nil
    for sync in syncs where !sync.isEstablished && sync.origin == nil { world.end(sync) }
    complete(command)
    var event = HCI.PeriodicSyncEstablished(
      status: .operationCancelledByHost, address: HCI.PeerAddress(creation.advertiser.address))
    event.sid = creation.advertiser.sid
    tell(event, .init())
  }

  // MARK: From the link layer

  /// A train whose SyncInfo came in; nil: the host does not wait for it, or its values are not valid.
  /// - Parameter controllerData: ACAD beside SyncInfo.
  func newSync(
    _ info: LL.SyncInfo, _ sid: UInt8, _ peer: PeerIdentity, on phy: LL.AirPHY, _ controllerData: [UInt8]
  ) -> PeriodicSync? {
    guard let creation = synchronising.pending, info.interval >= 6, LL.ChannelMap(bits: info.channelMap).isUsable,
      syncs.count < Self.maximumSyncs, !syncs.contains(where: { !$0.isEstablished && $0.origin == nil })
    else { return nil }
    let advertiser = HCI.PeriodicAdvertiser(address: peer.address, sid: sid)
    let isWanted =
      creation.options.contains(.usesList)
      ? synchronising.list.contains(advertiser) : creation.advertiser == advertiser
    // Bit 4: trains without Constant Tone Extension, which all are here.
    guard isWanted, creation.cteType & 0x10 == 0, !syncs.contains(where: { $0.advertiser == advertiser }) else {
      return nil
    }
    // A controller without subevents takes the first one of each event for an ordinary train.
    let timing = linkFeatures >> 44 & 1 == 1 ? LL.ResponseTiming(controllerData: controllerData) : nil
    if let timing, !timing.subevents.isValid(period: info.interval, slots: nil) { return nil }
    return PeriodicSync(
      nextSyncHandle(), radio, advertiser, HCI.PeerAddress(peer), info, on: phy, skip: creation.skip,
      timeout: creation.timeout, reports: !creation.options.contains(.reportsNothing), timing)
  }

  /// Handles are not reused before all have been used.
  func nextSyncHandle() -> HCI.SyncHandle {
    repeat {
      synchronising.handle = synchronising.handle >= 0x0EFF ? 0 : synchronising.handle + 1
    } while syncs.contains { $0.handle == synchronising.handle }
    return synchronising.handle
  }

  /// The first AUX_SYNC_IND came in.
  func established(_ sync: PeriodicSync) {
    sync.isEstablished = true
    tell(sync, .success)
  }

  /// None of the first six did.
  func failed(_ sync: PeriodicSync) { tell(sync, .connectionFailedToBeEstablished) }

  func tell(_ sync: PeriodicSync, _ status: HCI.ErrorCode) {
    let timing = sync.timing?.subevents ?? .init()
    if let origin = sync.origin {
      let event = HCI.SyncTransferReceived(
        connection: origin.connection, serviceData: origin.serviceData, sync: sync.event(status))
      return emit(
        .periodic(
          usesVersion2(0x26)
            ? .lePeriodicAdvertisingSyncTransferReceivedV2(event, timing)
            : .lePeriodicAdvertisingSyncTransferReceived(event)))
    }
    synchronising.pending = nil
    tell(sync.event(status), timing)
  }

  private func tell(_ event: HCI.PeriodicSyncEstablished, _ timing: HCI.SubeventTiming) {
    emit(
      .periodic(
        usesVersion2(0x24)
          ? .lePeriodicAdvertisingSyncEstablishedV2(event, timing) : .lePeriodicAdvertisingSyncEstablished(event)))
  }

  /// Tells the host of the data of one PDU, in as many events as they need.
  /// - Parameters:
  ///   - pdu: nil: it did not come in.
  ///   - isFollowed: the one that continues it is waited for.
  func report(_ sync: PeriodicSync, _ pdu: LL.ExtendedPDU?, isFollowed: Bool, rssi: Int8 = 127) {
    var report = HCI.PeriodicAdvertisingReport(handle: sync.handle, rssi: rssi, status: .incomplete, data: [])
    report.txPower = sync.txPower
    var rest = pdu?.data[...] ?? []
    let isVersion2 = usesVersion2(0x25)
    repeat {
      report.data = Array(
        rest.prefix(isVersion2 ? HCI.SubeventReport.maximumLength : HCI.PeriodicAdvertisingReport.maximumLength))
      rest = rest.dropFirst(report.data.count)
      if rest.isEmpty { report.status = pdu == nil ? .truncated : isFollowed ? .incomplete : .complete }
      emit(
        .periodic(
          isVersion2
            ? .lePeriodicAdvertisingReportV2(
              .init(report, eventCounter: sync.counter, subevent: sync.heardSubevent))
            : .lePeriodicAdvertisingReport(report)))
    } while !rest.isEmpty
  }
}
