package import BluetoothWire
import SimKernel
package import VirtualRadio

/// A run of two devices, made by hand: who says what on the air and at the HCI seam.
package enum SyntheticTrace {
  package static let central = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A1)
  package static let peripheral = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A0)
  package static let accessAddress: UInt32 = 0x5065_4A27
  package static let crcInit: UInt32 = 0x2ED45D

  package static let request = LL.ConnectInd(
    initiator: central, advertiser: peripheral, channelSelectionAlgorithm2: true, accessAddress: accessAddress,
    crcInit: crcInit, windowSize: 2, windowOffset: 1, interval: 24, latency: 0, timeout: 72,
    channelMap: 0x1F_FFFF_FFFF, hop: 7, sleepClockAccuracy: 5)

  package static func advertising(
    _ pdu: LL.AdvertisingPDU, at microseconds: Int64, from device: Int, fate: AirPDU.Fate = .received
  )
    -> AirPDU
  {
    AirPDU(
      start: .zero + .microseconds(microseconds), duration: .microseconds(200), rfChannel: 12, phy: .le1M,
      accessAddress: LL.advertisingAccessAddress, pdu: pdu.octets, crcInit: LL.advertisingCRCInit,
      transmitter: device, receiver: nil, rssi: -128, fate: fate)
  }

  package static func data(
    _ llid: LL.LLID, _ payload: [UInt8], at microseconds: Int64, from device: Int, phy: LL.AirPHY = .le1M,
    fate: AirPDU.Fate = .received
  ) -> AirPDU {
    let header = LL.DataHeader(llid: llid, nesn: false, sn: false, moreData: false, length: UInt8(payload.count))
    return AirPDU(
      start: .zero + .microseconds(microseconds), duration: .microseconds(200), rfChannel: 20, phy: phy,
      accessAddress: accessAddress, pdu: header.octets + payload, crcInit: crcInit, transmitter: device,
      receiver: 1 - device, rssi: -61, fate: fate)
  }

  /// `ATT_EXCHANGE_MTU_REQ` with ATT_MTU 517 in its L2CAP PDU.
  package static let exchangeMTU: [UInt8] = [0x03, 0x00, 0x04, 0x00, 0x02, 0x05, 0x02]

  package static let air: [AirPDU] = [
    advertising(
      .advInd(advertiser: peripheral, data: [2, 1, 6, 4, 9, 0x42, 0x61, 0x62], chSel: true), at: 1_000, from: 0),
    advertising(.scanReq(scanner: central, advertiser: peripheral), at: 1_400, from: 1),
    advertising(.scanRsp(advertiser: peripheral, data: [3, 3, 0x0A, 0x18]), at: 1_750, from: 0),
    advertising(
      .advDirectInd(advertiser: peripheral, target: central, chSel: true), at: 2_000, from: 0, fate: .unheard),
    advertising(.advScanInd(advertiser: peripheral, data: [2, 1, 6]), at: 2_200, from: 0),
    advertising(.connectInd(request), at: 3_000, from: 1),
    data(.control, LL.ControlPDU.lengthReq(lengths).octets, at: 10_000, from: 1),
    data(.control, LL.ControlPDU.lengthRsp(lengths).octets, at: 10_400, from: 0),
    data(.start, exchangeMTU, at: 40_000, from: 1),
    data(.continuation, [], at: 40_400, from: 0, fate: .corrupted),
    data(.control, LL.ControlPDU.phyReq(txPHYs: 2, rxPHYs: 3).octets, at: 70_000, from: 1),
    data(.control, LL.ControlPDU.phyRsp(txPHYs: 3, rxPHYs: 2).octets, at: 70_400, from: 0),
    data(
      .control, LL.ControlPDU.phyUpdateInd(centralToPeripheral: 2, peripheralToCentral: 2, instant: 9).octets,
      at: 100_000, from: 1),
    data(
      .control, LL.ControlPDU.minUsedChannelsInd(phys: 3, minUsedChannels: 5).octets, at: 130_000, from: 0, phy: .le2M),
    data(.control, LL.ControlPDU.unknownRsp(opcode: 0x19).octets, at: 130_400, from: 1, phy: .le2M),
    data(.control, LL.ControlPDU.rejectInd(.unsupportedRemoteFeature).octets, at: 160_000, from: 1, phy: .le2M),
    data(
      .control,
      LL.ControlPDU.rejectExtInd(rejectOpcode: 0x0F, errorCode: .unacceptableConnectionParameters).octets,
      at: 160_400, from: 0, phy: .le2M, fate: .unheard),
    data(
      .control, LL.ControlPDU.terminateInd(errorCode: .remoteUserTerminatedConnection).octets, at: 190_000, from: 1,
      phy: .le2M),
  ]

  package static let lengths = LL.DataLength(maxRxOctets: 251, maxRxTime: 2120, maxTxOctets: 251, maxTxTime: 2120)

  /// The host's device: its own commands by hand among them, so that tshark judges their octets.
  package static let hci: [RadioEvent] = [
    .hciCommand(.reset),
    .hciEvent(.commandComplete(.reset, status: .success, returnParameters: [])),
    .hciCommand(.leSetHostChannelClassification(0x1F_FFFF_F000)),
    .hciCommand(.leSetDefaultPHY(tx: nil, rx: .le2M)),
    .hciEvent(
      .leConnectionComplete(
        .init(
          status: .success, handle: 0x40, role: .peripheral, peer: central, interval: 24, peripheralLatency: 0,
          supervisionTimeout: 72, centralClockAccuracy: 5))),
    .hciEvent(.leChannelSelectionAlgorithm(0x40, algorithm: 1)),
    .hciCommand(.leReadChannelMap(0x40)),
    .hciCommand(.leSetPHY(0x40, tx: .le2M, rx: .le2M)),
    .hciEvent(.lePHYUpdateComplete(0x40, status: .success, tx: .le2M, rx: .le2M)),
    .aclToHost(.init(handle: 0x40, boundary: .firstFlushable, octets: exchangeMTU)),
    .aclToController(.init(handle: 0x40, boundary: .firstNonFlushable, octets: [3, 0, 4, 0, 3, 5, 2])),
    .hciEvent(.numberOfCompletedPackets([.init(handle: 0x40, count: 1)])),
    .isoToController(
      .init(
        handle: 0x60, boundary: .complete, head: .init(sequenceNumber: 7, sduLength: 4),
        octets: [0xDE, 0xAD, 0xBE, 0xEF])),
    .isoToHost(
      .init(
        handle: 0x60, boundary: .first, head: .init(timeStamp: 10_000, sequenceNumber: 3, sduLength: 3, status: 1),
        octets: [0xAA])),
    .isoToHost(.init(handle: 0x60, boundary: .last, octets: [0xBB, 0xCC])),
    .hciEvent(.hardwareError(0x42)),
    .hciEvent(.disconnectionComplete(0x40, status: .success, reason: .remoteUserTerminatedConnection)),
  ]
}
