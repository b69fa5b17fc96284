import BluetoothWire
import SimKernel

/// Transfer of periodic advertising sync as hosts ask for it (Vol 4, Part E, 7.8.89 … 7.8.92, 7.7.65.24).
extension Controller {
  func executeSyncTransfer(_ command: HCI.PeriodicCommand) {
    let whole = HCI.Command.periodic(command)
    if case .leSetDefaultPeriodicAdvertisingSyncTransferParameters(let parameters) = command {
      let problem = problem(of: parameters)
      if problem == nil { synchronising.transfer = parameters }
      return complete(whole, unless: problem)
    }
    guard let handle = whole.connectionHandle, let (connection, end) = link(handle) else {
      return refuse(whole, .unknownConnectionIdentifier)
    }
    switch command {
    case .lePeriodicAdvertisingSyncTransfer(_, let service, let sync):
      let known = self.sync(sync)
      transfer(
        whole, .sync(sync), service, end, connection, hasSubevents: known?.timing != nil,
        unless: known == nil ? .unknownAdvertisingIdentifier : nil)
    case .lePeriodicAdvertisingSetInfoTransfer(_, let service, let set):
      guard let known = advertisingSet(set) else { return refuse(whole, .unknownAdvertisingIdentifier) }
      transfer(
        whole, .set(set), service, end, connection, hasSubevents: known.train?.plan != nil,
        unless: known.train?.isOnAir == true ? nil : .commandDisallowed)
    case .leSetPeriodicAdvertisingSyncTransferParameters(_, let parameters):
      if let problem = problem(of: parameters) { return refuse(whole, problem) }
      end.syncTransfer = parameters
      complete(whole, little(handle))
    default: refuse(whole, .unknownCommand)
    }
  }

  private func transfer(
    _ command: HCI.Command, _ source: SyncSource, _ service: UInt16, _ end: LinkEnd, _ connection: Connection,
    hasSubevents: Bool, unless problem: HCI.ErrorCode?
  ) {
    if let problem { return refuse(command, problem) }
    let needed: UInt64 = 1 << 25 | (hasSubevents ? 1 << 44 : 0)
    if let features = end.peerFeatures, features & needed != needed {
      return refuse(command, .unsupportedRemoteFeature)
    }
    guard end.procedures.count < Self.maximumProcedures else { return refuse(command, .commandDisallowed) }
    complete(command, little(end.handle))
    world.start(.syncTransfer(source, service: service), end, connection)
  }

  /// Without ADI in trains nothing can be told to be a duplicate: mode 3 is refused.
  private func problem(of parameters: HCI.SyncTransferParameters) -> HCI.ErrorCode? {
    guard parameters.mode <= 3, parameters.skip <= 499, (0x0A...0x4000).contains(parameters.timeout),
      parameters.cteType <= 0x1F
    else { return .invalidParameters }
    return parameters.mode == 3 ? .unsupportedFeature : nil
  }

  /// The sync that a peer's word begins; nil: the host does not want it, or the values are not valid. Decision: a train
  /// that is followed already is not followed again, and the host is not told.
  func newSync(
    of transfer: LL.SyncTransfer, _ timing: LL.ResponseTiming?, _ end: LinkEnd, on phy: LL.AirPHY
  ) -> PeriodicSync? {
    let (wanted, info) = (end.syncTransfer, transfer.syncInfo)
    guard wanted.mode > 0, wanted.cteType & 0x10 == 0, info.interval >= 6,
      LL.ChannelMap(bits: info.channelMap).isUsable, let peer = identify(transfer.advertiser)
    else { return nil }
    if let timing, !timing.subevents.isValid(period: info.interval, slots: nil) { return nil }
    let advertiser = HCI.PeriodicAdvertiser(address: peer.address, sid: transfer.sid)
    if syncs.contains(where: { $0.advertiser == advertiser }) { return nil }
    let sync = PeriodicSync(
      nextSyncHandle(), radio, advertiser, HCI.PeerAddress(peer), info, on: phy, skip: wanted.skip,
      timeout: wanted.timeout, reports: wanted.mode > 1,
      origin: .init(connection: end.handle, serviceData: transfer.id), timing)
    guard syncs.count < Self.maximumSyncs else {
      tell(sync, .memoryCapacityExceeded)
      return nil
    }
    return sync
  }
}
