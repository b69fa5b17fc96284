import BabSim
import BluetoothWire
import Conformance
import Foundation
import SimKernel
import VirtualRadio

/// A program of another project that judges our files.
enum CaptureTool: String {
  case tshark, btmon

  /// Where it is; says so when it is nowhere. CI installs both.
  static let tsharkPath = find(.tshark)
  static let btmonPath = find(.btmon)

  private static func find(_ tool: CaptureTool) -> String? {
    let path = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + tool.rawValue }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    if path == nil { print("SKIPPED: \(tool.rawValue) is not installed; captures are not judged by it") }
    return path
  }

  /// What the program prints; its exit code must be 0.
  static func run(_ path: String?, _ arguments: [String]) throws -> String {
    guard let path else { throw CocoaError(.fileNoSuchFile) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    return String(decoding: data, as: UTF8.self)
  }

  /// One line per packet, one column per field.
  static func fields(_ file: String, _ fields: [String], filter: String? = nil) throws -> [[String]] {
    let filterArguments = filter.map { ["-Y", $0] } ?? []
    let arguments = ["-r", file, "-T", "fields"] + filterArguments + fields.flatMap { ["-e", $0] }
    return try run(tsharkPath, arguments).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

/// A folder of its own that goes away with the value.
final class CaptureFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/babbench-captures-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

  func octets(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }
}

/// A run of two devices, made by hand: who says what on the air and at the HCI seam.
enum SyntheticTrace {
  static let central = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A1)
  static let peripheral = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A0)
  static let accessAddress: UInt32 = 0x5065_4A27
  static let crcInit: UInt32 = 0x2ED45D

  static let header: TraceHeader = {
    let device = { (name: String, role: AppRole, address: BluetoothAddress) in
      TraceHeader.Device(
        name: name, role: role, phone: "ideal", dialect: "reference", engine: "reference", address: address)
    }
    return TraceHeader(
      scenario: "synthetic", seed: 7,
      devices: [device("host", .host, peripheral), device("Zoë / 1", .client, central)],
      options: [.init(key: "room", value: "ideal")])
  }()

  static let request = LL.ConnectInd(
    initiator: central, advertiser: peripheral, channelSelectionAlgorithm2: true, accessAddress: accessAddress,
    crcInit: crcInit, windowSize: 2, windowOffset: 1, interval: 24, latency: 0, timeout: 72,
    channelMap: 0x1F_FFFF_FFFF, hop: 7, sleepClockAccuracy: 5)

  static func advertising(
    _ pdu: LL.AdvertisingPDU, at microseconds: Int64, from device: Int, fate: AirPDU.Fate = .received
  )
    -> AirPDU
  {
    AirPDU(
      start: .zero + .microseconds(microseconds), duration: .microseconds(200), rfChannel: 12, phy: .le1M,
      accessAddress: LL.advertisingAccessAddress, pdu: pdu.octets, crcInit: LL.advertisingCRCInit,
      transmitter: device, receiver: nil, rssi: -128, fate: fate)
  }

  static func data(
    _ llid: LL.LLID, _ payload: [UInt8], at microseconds: Int64, from device: Int, phy: HCI.PHY = .le1M,
    fate: AirPDU.Fate = .received
  ) -> AirPDU {
    let header = LL.DataHeader(llid: llid, nesn: false, sn: false, moreData: false, length: UInt8(payload.count))
    return AirPDU(
      start: .zero + .microseconds(microseconds), duration: .microseconds(200), rfChannel: 20, phy: phy,
      accessAddress: accessAddress, pdu: header.octets + payload, crcInit: crcInit, transmitter: device,
      receiver: 1 - device, rssi: -61, fate: fate)
  }

  /// `ATT_EXCHANGE_MTU_REQ` with ATT_MTU 517 in its L2CAP PDU.
  static let exchangeMTU: [UInt8] = [0x03, 0x00, 0x04, 0x00, 0x02, 0x05, 0x02]

  static let air: [AirPDU] = [
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

  static let lengths = LL.DataLength(maxRxOctets: 251, maxRxTime: 2120, maxTxOctets: 251, maxTxTime: 2120)

  /// The host's device: its own commands by hand among them, so that tshark judges their octets.
  static let hci: [RadioEvent] = [
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
    .hciEvent(.hardwareError(0x42)),
    .hciEvent(.disconnectionComplete(0x40, status: .success, reason: .remoteUserTerminatedConnection)),
  ]

  /// Everything, as a run would hand it to its readers.
  static func play(to reader: any TraceReader) {
    reader.begin(header)
    var sequence = 0
    func record(_ event: TraceEvent, at instant: SimInstant, device: Int) {
      reader.read(TraceRecord(sequence: sequence, instant: instant, device: device, event: event))
      sequence += 1
    }
    record(.step("start"), at: .zero, device: -1)
    for (index, pdu) in air.enumerated() {
      if index == 8 { record(.fault(.vanish), at: pdu.start, device: 1) }
      if index == 10 {
        record(.expectation(text: "all are ready", holds: false, detail: "Zoë is not"), at: pdu.start, device: -1)
        record(.expectation(text: "host is there", holds: true, detail: ""), at: pdu.start, device: -1)
      }
      record(.radio(.air(pdu)), at: pdu.start + pdu.duration, device: pdu.transmitter)
    }
    for (index, event) in hci.enumerated() {
      record(.radio(event), at: .zero + .microseconds(Int64(index) * 100 + 7), device: 0)
    }
    record(.radio(.hciCommand(.leSetScanEnable(true, filterDuplicates: false))), at: .zero, device: 1)
    record(
      .fault(.message(.drop, LinkID(3), characteristic: BluetoothUUID(0x2A00), octets: [1, 2])), at: .zero, device: 0)
  }
}
