import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import Testing
import VirtualRadio

@testable import Conformance
@testable import Judging

@Suite("The HCI seam as btsnoop files")
struct CapturesHCITests {
  private func write(into folder: CaptureFolder) throws {
    let capture = try HCICaptureReader(folder: folder.path + "/hci")
    SyntheticTrace.play(to: capture)
    try capture.close()
  }

  private func read(_ octets: [UInt8]) throws -> (records: [CaptureRecord], ending: CaptureEnding) {
    var reader = CaptureReader()
    reader.append(octets)
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    return (records, reader.ending)
  }

  @Test("Every device has a file of its own with its packets, their direction and time")
  func contents() throws {
    let folder = try CaptureFolder()
    try write(into: folder)
    let (host, ending) = try read(try folder.octets("hci/host.btsnoop"))
    equal(ending, .whole)
    equal(host.count, SyntheticTrace.hci.count)
    for (index, (record, event)) in zip(host, SyntheticTrace.hci).enumerated() {
      equal(record.nanoseconds, CaptureEpoch.unixSeconds * 1_000_000_000 + (Int64(index) * 100 + 7) * 1_000)
      let octets = try required(record.h4Octets)
      switch event {
      case .hciCommand(let command):
        try equal(HCI.Command(decoding: octets), command)
        equal(record.mark, 2)
      case .hciEvent(let event):
        try equal(HCI.Event(decoding: octets), event)
        equal(record.mark, 3)
      case .aclToController(let data):
        try equal(HCI.ACLData(decoding: octets), data)
        equal(record.mark, 0)
      case .aclToHost(let data):
        try equal(HCI.ACLData(decoding: octets), data)
        equal(record.mark, 1)
      case .isoToController(let data):
        try equal(HCI.ISOData(decoding: octets), data)
        equal(record.mark, 0)
      case .isoToHost(let data):
        try equal(HCI.ISOData(decoding: octets), data)
        equal(record.mark, 1)
      case .air: Issue.record("the air is not at the HCI seam")
      }
    }
    let client = try read(try folder.octets("hci/Zo____1.btsnoop"))
    equal(client.records.map(\.h4Octets), [[0x01, 0x0C, 0x20, 0x02, 0x01, 0x00]])
  }

  @Test("File names are harmless and different, whatever devices are called")
  func fileNames() {
    equal(
      HCICaptureReader.fileNames(["host", "../etc", "Host", "", "Zoë", "Zo\u{EB}", "host-2"]),
      [
        "host.btsnoop", "___etc.btsnoop", "Host-2.btsnoop", "device.btsnoop", "Zo_.btsnoop", "Zo_-5.btsnoop",
        "host-2-6.btsnoop",
      ])
  }

  @Test("A folder that cannot be made is reported, and so is a file")
  func unwritable() throws {
    #expect(
      throws: WholeFileError(path: "/nowhere/at", operation: "make the folder", reason: "No such file or directory")
    ) { try HCICaptureReader(folder: "/nowhere/at") }
    let folder = try CaptureFolder()
    let capture = try HCICaptureReader(folder: folder.path + "/hci")
    try folder.remove("hci")
    SyntheticTrace.play(to: capture)
    #expect {
      try capture.close()
    } throws: {
      ($0 as? WholeFileError)?.operation == "open"
    }
  }

  @Test("Wireshark reads every packet as what it is", .enabled(if: CaptureTool.tsharkPath != nil))
  func wireshark() throws {
    let folder = try CaptureFolder()
    try write(into: folder)
    let file = folder.path + "/hci/host.btsnoop"
    try expect(CaptureTool.fields(file, ["frame.number"], filter: "_ws.malformed").isEmpty)
    let rows = try CaptureTool.fields(
      file,
      [
        "bthci_cmd.opcode", "bthci_evt.code", "bthci_evt.le_meta_subevent", "btatt.opcode", "btatt.client_rx_mtu",
        "frame.time_epoch", "hci_h4.direction", "bthci_iso.chandle", "bthci_iso.pb_flag", "bthci_iso.data_length",
      ])
    let column = { (index: Int) in rows.map { $0[index] } }
    equal(
      column(0).enumerated().filter { !$0.element.isEmpty }.map { "\($0.offset) \($0.element)" },
      [
        "0 0x0c03", "2 0x2014", "3 0x2031", "6 0x2015", "7 0x2032",
      ])
    equal(
      column(1), ["", "0x0e", "", "", "0x3e", "0x3e", "", "", "0x3e", "", "", "0x13", "", "", "", "0x10", "0x05"])
    equal(column(2).filter { !$0.isEmpty }, ["0x01", "0x14", "0x0c"])
    equal(rows[9][3...4], ["0x02", "517"])
    equal(rows[10][3], "0x03")
    equal(column(5).first, "946684800.000007000")
    equal(column(6).map { $0.suffix(1) }.joined(), "01001100110101111")
    equal(
      rows.map { Array($0[7...]) }.filter { !$0[0].isEmpty },
      [["0x0060", "0x0002", "8"], ["0x0060", "0x0000", "9"], ["0x0060", "0x0003", "2"]])
  }

  @Test("btmon reads every packet as what it is", .enabled(if: CaptureTool.btmonPath != nil))
  func btmon() throws {
    let folder = try CaptureFolder()
    try write(into: folder)
    let text = try CaptureTool.run(CaptureTool.btmonPath, ["-r", folder.path + "/hci/host.btsnoop"])
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for expected in [
      "< HCI Command: Reset (0x03|0x0003) plen 0", "< HCI Command: LE Set Host Channel Classifi.. (0x08|0x0014) plen 5",
      "Channel 12-36", "No TX PHY preference", "Role: Peripheral (0x01)",
      "Peer address: F0:F1:F2:F3:F4:A1 (Static)", "Connection interval: 30.00 msec (0x0018)", "Algorithm: #2 (0x01)",
      "< HCI Command: LE Read Channel Map (0x08|0x0015) plen 2", "TX PHY: LE 2M (0x02)",
      "> ACL Data RX: Handle 64 flags 0x02 dlen 7", "Client RX MTU: 517", "Server RX MTU: 517",
      "> HCI Event: Hardware Error (0x10) plen 1", "Code: 0x42",
      "Reason: Remote User Terminated Connection (0x13)",
    ] {
      expect(lines.contains { $0.hasPrefix(expected) }, "\(expected)")
    }
    // btmon numbers packets; one packet that it cannot take apart would show as invalid. Isochronous data in files of
    // H4 is nothing to btmon 5.66, which reads it in files of its own format only.
    equal(lines.filter { $0.contains("#14 ") }.count, 1)
    expect(!text.lowercased().contains("invalid"))
  }
}
