import BluetoothWire
import SimKernel

/// Connected isochronous groups and streams as hosts have them (Vol 4, Part E, 7.8.97 … 7.8.102).
extension Controller {
  /// Groups of a device. Decision.
  private static let mostGroups = 4

  func streamGroup(of handle: HCI.ConnectionHandle) -> (StreamGroup, Int)? {
    for group in streamGroups { if let place = group.place(of: handle) { return (group, place) } }
    return nil
  }

  /// The end of a stream that is on the air, or about to be.
  func stream(_ handle: HCI.ConnectionHandle) -> (IsochronousStream, StreamEnd)? {
    for stream in radio.streams {
      for end in [stream.central, stream.peripheral] where end.radio === radio && end.handle == handle && end.isPresent
      {
        return (stream, end)
      }
    }
    return nil
  }

  /// Whether a handle is that of a stream, made or not.
  func isStream(_ handle: HCI.ConnectionHandle) -> Bool {
    streamGroup(of: handle) != nil
      || radio.streams.contains { $0.central.handle == handle || $0.peripheral.handle == handle }
      || ends.contains { $0.streamOffer?.handle == handle }
  }

  func execute(_ command: HCI.StreamCommand) {
    let whole = HCI.Command.stream(command)
    switch command {
    case .leReadBufferSizeV2:
      complete(whole, bufferSize + little(UInt16(Self.isoBufferLength)) + [UInt8(Self.isoBuffers)])
    case .leSetCIGParameters(let parameters): configure(whole, .parameters(parameters))
    case .leSetCIGParametersTest(let parameters): configure(whole, .test(parameters))
    case .leRemoveCIG(let group): removeGroup(whole, group)
    case .leCreateCIS(let pairs): createStreams(whole, pairs)
    case .leAcceptCISRequest(let handle): answerOffer(whole, handle, nil)
    case .leRejectCISRequest(let handle, let reason): answerOffer(whole, handle, reason)
    default: executeOnStream(whole, command)
    }
  }

  // MARK: Groups

  private func configure(_ command: HCI.Command, _ wish: StreamGroup.Wish) {
    func refuse(_ reason: HCI.ErrorCode) {
      complete(command.opcode, status: reason, returning: [wish.common.group, 0])
    }
    guard wish.isValid else { return refuse(.invalidParameters) }
    let old = streamGroups.first { $0.id == wish.common.group }
    if let old, !old.isConfigurable { return refuse(.commandDisallowed) }
    guard let merged = old.map({ $0.wish.updated(by: wish) }) ?? wish else { return refuse(.commandDisallowed) }
    guard merged.isValid else { return refuse(.invalidParameters) }
    guard old != nil || streamGroups.count < Self.mostGroups, merged.streams.count <= Self.mostStreams else {
      return refuse(.connectionRejectedDueToLimitedResources)
    }
    guard !merged.streams.isEmpty else { return refuse(.invalidParameters) }
    guard let plan = merged.plan(phys: supportedPHYs) else { return refuse(.unsupportedFeature) }
    var handles = old?.handles ?? []
    while handles.count < merged.streams.count { handles.append(nextHandle()) }
    if let old {
      old.take(merged, plan, handles: handles)
    } else {
      streamGroups.append(StreamGroup(wish.common.group, merged, plan, handles: handles))
    }
    let named = wish.streams.compactMap { stream in merged.streams.firstIndex(of: stream).map { handles[$0] } }
    complete(command, [wish.common.group, UInt8(named.count)] + named.flatMap { little($0) })
  }

  /// Streams of a group. Decision.
  private static let mostStreams = 16

  private func removeGroup(_ command: HCI.Command, _ id: UInt8) {
    func refuse(_ reason: HCI.ErrorCode) { complete(command.opcode, status: reason, returning: [id]) }
    guard let place = streamGroups.firstIndex(where: { $0.id == id }) else {
      return refuse(.unknownConnectionIdentifier)
    }
    guard !streamGroups[place].handles.contains(where: isInUse) else { return refuse(.commandDisallowed) }
    streamGroups.remove(at: place)
    complete(command, [id])
  }

  /// The stream of a central is there, or is being made.
  private func isInUse(_ handle: HCI.ConnectionHandle) -> Bool {
    stream(handle) != nil || creatingStreams.contains { $0.stream == handle }
  }

  // MARK: Central

  private func createStreams(_ command: HCI.Command, _ pairs: [HCI.StreamPair]) {
    guard (1...31).contains(pairs.count), Set(pairs.map(\.stream)).count == pairs.count else {
      return status(command, .invalidParameters)
    }
    guard hostSettings.has(RadioWorld.streamHostBit), creatingStreams.isEmpty else {
      return status(command, .commandDisallowed)
    }
    var groups: [StreamGroup] = []
    for pair in pairs {
      guard let (group, _) = streamGroup(of: pair.stream), let (connection, end) = link(pair.link) else {
        return status(command, .unknownConnectionIdentifier)
      }
      guard end.role == .central, connection.programEnd == nil else { return status(command, .commandDisallowed) }
      guard stream(pair.stream) == nil else { return status(command, .connectionAlreadyExists) }
      if let features = end.peerFeatures, features & RadioWorld.streamFeatures == 0 {
        return status(command, .unsupportedRemoteFeature)
      }
      groups.append(group)
    }
    status(command)
    for group in groups { group.isConfigurable = false }
    creatingStreams = pairs
    createNextStream()
  }

  /// Streams are made one after the other: the next one begins when the hosts have been told of the one before.
  func createNextStream() {
    guard let next = creatingStreams.first else { return }
    guard let (connection, end) = link(next.link) else {
      return notEstablished(next.stream, reason: .unknownConnectionIdentifier)
    }
    world.start(.createStream(next.stream), end, connection)
  }

  /// Streams that a link was to have, which is over.
  func takeCreations(of link: HCI.ConnectionHandle) -> [HCI.ConnectionHandle] {
    let gone = creatingStreams.filter { $0.link == link }
    creatingStreams.removeAll { $0.link == link }
    return gone.map(\.stream)
  }

  private func streamCreated(_ handle: HCI.ConnectionHandle) {
    guard creatingStreams.first?.stream == handle else { return }
    creatingStreams.removeFirst()
    createNextStream()
  }

  /// A stream could not be made.
  func notEstablished(_ handle: HCI.ConnectionHandle, reason: HCI.ErrorCode) {
    emit(.stream(.leCISEstablished(HCI.CISEstablished(status: reason, handle: handle))))
    streamCreated(handle)
  }

  // MARK: Peripheral

  /// The host is asked; nil: it has masked the event.
  func offered(_ request: LL.CISRequest, _ end: LinkEnd) -> HCI.ConnectionHandle? {
    let blank = HCI.Event.stream(.leCISRequest(link: 0, stream: 0, groupID: 0, streamID: 0))
    guard masks.admit(blank) else { return nil }
    let handle = nextHandle()
    emit(.stream(.leCISRequest(link: end.handle, stream: handle, groupID: request.group, streamID: request.stream)))
    return handle
  }

  private func answerOffer(_ command: HCI.Command, _ handle: HCI.ConnectionHandle, _ reason: HCI.ErrorCode?) {
    guard let place = ends.firstIndex(where: { $0.streamOffer?.handle == handle }) else {
      return refuse(command, isStream(handle) ? .commandDisallowed : .unknownConnectionIdentifier)
    }
    guard ends[place].streamOffer?.isAccepted == false else { return refuse(command, .commandDisallowed) }
    if reason == .success { return refuse(command, .invalidParameters) }
    if reason == nil { status(command) } else { complete(command, little(handle)) }
    world.answerStreamOffer(reason, ends[place], links[place])
  }

  // MARK: From the link layer

  func established(_ end: StreamEnd, _ s: IsochronousStream) {
    var event = HCI.CISEstablished(status: .success, handle: end.handle)
    event.groupSyncDelay = s.indication.groupSyncDelay
    event.streamSyncDelay = s.indication.streamSyncDelay
    event.centralLatency = s.shape.latency(of: .central, groupSyncDelay: s.indication.groupSyncDelay)
    event.peripheralLatency = s.shape.latency(of: .peripheral, groupSyncDelay: s.indication.groupSyncDelay)
    event.centralPHY = s.shape.phy(of: .central).phy.rawValue
    event.peripheralPHY = s.shape.phy(of: .peripheral).phy.rawValue
    event.subevents = s.shape.subevents
    (event.centralBurst, event.peripheralBurst) = (s.shape.central.burst, s.shape.peripheral.burst)
    event.centralFlushTimeout = s.shape.central.flushTimeout
    event.peripheralFlushTimeout = s.shape.peripheral.flushTimeout
    (event.centralPDU, event.peripheralPDU) = (s.shape.central.longestPDU, s.shape.peripheral.longestPDU)
    event.interval = s.shape.interval
    emit(.stream(.leCISEstablished(event)))
    streamCreated(end.handle)
  }

  /// A stream has ended, or was never there.
  func streamOver(_ end: StreamEnd, reason: HCI.ErrorCode) {
    isoInUse -= end.source.packets + end.outgoing.reduce(0) { $0 + $1.completes }
    assert(isoInUse >= 0, "no more buffers become free than were in use")
    if end.isEstablished {
      emit(.disconnectionComplete(end.handle, status: .success, reason: reason))
    } else {
      notEstablished(end.handle, reason: reason)
    }
  }
}
