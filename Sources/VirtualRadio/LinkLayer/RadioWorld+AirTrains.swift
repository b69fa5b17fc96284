import BluetoothWire
import SimKernel

/// Trains of programs: our scanners follow them as any other train of which SyncInfo, or a peer, has told them.
extension RadioWorld {
  /// A PDU of a train that somebody follows begins: AUX_SYNC_IND, or AUX_CHAIN_IND where an AuxPtr has led to it.
  func startOfTrain(_ sending: AirSending, _ seat: AirSeat) {
    let address = sending.packet.accessAddress
    // One that listens to a PDU already does not begin to listen to another.
    let followers = syncs.filter { $0.info.accessAddress == address && $0.radio !== seat.radio && !$0.listens }
    guard !followers.isEmpty else { return }
    seat.trains.removeAll { train in !syncs.contains { $0.info.accessAddress == train.accessAddress } }
    let known = seat.trains.first { $0.accessAddress == address }
    let train =
      known
      ?? PeriodicTrain(
        .init(set: 0, intervalMinimum: 6, intervalMaximum: 6), stream: seat.radio.anchorStream)
    if known == nil { seat.trains.append(train) }
    let continues = train.isContinued(by: sending)
    if !continues { loseListeners(train) }
    train.say(sending, as: continues ? .auxChainInd : .auxSyncInd)
    if !continues { train.listeners = followers }
    for sync in train.listeners { hold(sync, train, until: sending.end) }
    sending.part = .train(train)
  }

  /// It is over.
  func endOfTrain(_ sending: AirSending, _ train: PeriodicTrain, _ seat: AirSeat) {
    let listeners = train.listeners
    train.listeners.removeAll()
    let pdu = try? LL.ExtendedPDU(decoding: train.pdu, as: train.kind)
    train.chain = pdu?.pointer.map {
      (channelIndex: $0.channelIndex, start: sending.start + .nanoseconds(Int64($0.offset) * $0.unit))
    }
    var heardBy: [AirPDU.Listener] = []
    var isHeard = false
    for sync in listeners where sync.listens {
      let isSound = sending.packet.flags & 1 == 0 && sending.packet.crcInit == sync.info.crcInit
      var fate =
        sync.radio.isOn && seat.radio.isOn
        ? medium.judge(
          from: seat.radio.index, to: sync.radio.index,
          channel: Int(LL.rfChannel(dataChannelIndex: sending.channelIndex)), start: sending.start, end: sending.end,
          phy: sending.phy) : medium.lose(.level, .unheard)
      if wantsAir { heardBy.append(listener(sync.radio.index, fate, from: sending.set, on: sending.phy)) }
      if fate == .received, !isSound { fate = .corrupted }
      isHeard = isHeard || fate == .received
      hear(sync, fate == .received ? pdu : nil, isNoticed: fate != .unheard, train, of: sending.set)
    }
    trace(sending, seat, isHeard: isHeard, listeners: heardBy, auxiliary: train.kind)
    train.kind = .auxChainInd
  }
}

extension PeriodicTrain {
  /// Whether the AuxPtr of the PDU before has led to this one.
  fileprivate func isContinued(by sending: AirSending) -> Bool {
    guard let chain, !listeners.isEmpty, chain.channelIndex == sending.channelIndex else { return false }
    let tolerance = RadioWorld.interFrameTolerance
    return sending.start >= chain.start - tolerance && sending.start <= chain.start + .microseconds(300) + tolerance
  }

  /// One of its PDUs, by a program.
  fileprivate func say(_ sending: AirSending, as kind: LL.ExtendedPDU.Kind) {
    take(sending.packet.accessAddress, sending.phy)
    (self.kind, channelIndex, pdu, pduStart) = (kind, sending.channelIndex, sending.packet.pdu, sending.start)
  }
}
