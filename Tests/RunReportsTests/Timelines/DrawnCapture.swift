import BabSuite
import Bench
import BluetoothWire
import CaptureCheck
import CaptureTestSupport
import Conformance
import Foundation
import SimKernel

@testable import RunReports

/// Captures that were judged and drawn.
struct DrawnCapture {
  let report: CheckReport
  let picture: CapturePicture
  let timeline: RunTimeline

  init(_ paths: [String], limits: CapturePicture.Limits = CapturePicture.Limits()) throws {
    let bab = [AppProtocol.bab.traffic].compactMap(\.self)
    var checker = Checker(paths: paths, protocolType: bab.first)
    checker.printedProtocols = bab
    report = try checker.report()
    picture = try checker.picture(of: report, limits: limits)
    timeline = RunTimeline(report, picture)
  }

  /// Writes the air and the HCI of a run as `babbench run --out` does.
  static func play(
    _ path: String, seed: UInt64 = 1, to folder: CaptureFolder, _ overrides: [String] = []
  ) throws {
    let scenario = try DrawnRun.scenario(path, overrides)
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [air, hci], engines: [AppProtocol.bab].engines)
    try air.close()
    try hci.close()
  }

  /// A pcap of link type 251 (Bluetooth LE Link Layer) with advertising PDUs of one device that has a name, a second
  /// apart. Layout: https://www.tcpdump.org/linktypes.html, LINKTYPE_BLUETOOTH_LE_LL.
  static func writeName(_ name: String, to folder: CaptureFolder, times: Int = 1) throws {
    func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    let text = Array(name.utf8)
    let data = [UInt8(text.count + 1), 0x09] + text
    let pdu: [UInt8] = [0x40, UInt8(6 + data.count), 0xA0, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0] + data
    let crc = LL.crc24(pdu: pdu, initial: LL.advertisingCRCInit)
    let packet = little(LL.advertisingAccessAddress) + pdu + little(crc).prefix(3)
    var octets = little(0xA1B2_C3D4) + [2, 0, 4, 0] + little(0) + little(0) + little(65_535) + little(251)
    for second in 0..<times {
      octets += little(UInt32(second)) + little(0) + little(UInt32(packet.count)) + little(UInt32(packet.count))
      octets += packet
    }
    try Data(octets).write(to: URL(fileURLWithPath: folder.path + "/name.pcap"))
  }
}
