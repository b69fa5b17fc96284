import Expectations
import Foundation
import Testing

@testable import HCIPorts

@Suite("What can be captured, and what is missing for it")
struct CaptureInterfaceTests {
  @Test("Interfaces are what libpcap and the kernel call them")
  func parsing() throws {
    try equal(CaptureInterface(parsing: "monitor"), .monitor)
    try equal(CaptureInterface(parsing: "-"), .standardInput)
    try equal(CaptureInterface(parsing: "bluetooth-monitor"), .libpcap(device: "bluetooth-monitor"))
    try equal(CaptureInterface(parsing: "bluetooth12").adapter, 12)
    try expect(CaptureInterface(parsing: "bluetooth-monitor").adapter == nil)
  }

  @Test(
    "Anything else is refused with what to write instead",
    arguments: [
      ("hci3", "bluetooth3"), ("eth0", "bluetooth-monitor"), ("", "monitor"), ("bluetooth", "bluetooth0"),
      ("bluetooth-1", "bluetooth0"), ("bluetooth99999999999999999999", "bluetooth0"), ("bluetooth70000", "bluetooth0"),
    ])
  func refusals(text: String, advice: String) {
    let error = #expect(throws: PortError.self) { try CaptureInterface(parsing: text) }
    equal(error?.description.contains(advice), true)
  }

  @Test("Why a capture cannot begin is one line with what to do")
  func reasons() {
    for code in [EAFNOSUPPORT, EPERM, EACCES, ENODEV, ENOSYS, ENOMEM] {
      let text = PortError.capturing(.monitor, code: code).description
      expect(text.hasPrefix("monitor: ") && !text.contains("\n"))
    }
    expect(PortError.capturing(.monitor, code: EAFNOSUPPORT).description.contains("modprobe bluetooth"))
    expect(PortError.adapters(code: EAFNOSUPPORT).description.contains("modprobe bluetooth"))
  }

  @Test("A kernel without Bluetooth is told as such by every path into it", .enabled(if: hasNoBluetooth))
  func noBluetooth() {
    for interface in [CaptureInterface.monitor, .libpcap(device: "bluetooth-monitor"), .libpcap(device: "bluetooth0")] {
      let error = #expect(throws: PortError.self) { _ = try LiveCapture(interface) }
      equal(error, PortError("\(interface): \(PortError.noBluetooth)"))
    }
    let survey = AdapterSurvey()
    expect(survey.adapters.isEmpty)
    equal(survey.problems, [PortError.noBluetooth])
    equal(survey.libpcap?.contains("libpcap"), true)
  }

  private static let hasNoBluetooth: Bool = {
    if AdapterSurvey().problems == [PortError.noBluetooth] { return true }
    print("SKIPPED: this kernel knows Bluetooth; that one without it is told so is not shown")
    return false
  }()

  @Test("Capabilities are read from what the kernel says of a process")
  func capabilities() {
    // A shell of root in a container with Docker's usual capabilities, and one of a user (proc(5)).
    let docker = Capabilities(processStatus: "Name:\tbash\nCapPrm:\t00000000a80425fb\nCapEff:\t00000000a80425fb\n")
    expect(docker.contains(.netRaw) && !docker.contains(.netAdmin))
    let user = Capabilities(processStatus: "CapInh:\t0000000000000000\nCapEff:\t0000000000000000\n")
    expect(!user.contains(.netRaw) && !user.contains(.netAdmin))
    let root = Capabilities(processStatus: "CapEff:\t000001ffffffffff\n")
    expect(root.contains([.netRaw, .netAdmin]))
  }

  /// Layout: BlueZ, `doc/mgmt-api.txt`, Read Controller Information Command.
  @Test("The kernel's answer about a controller is taken apart; every shorter one is none")
  func information() {
    var answer: [UInt8] = [0x01, 0x00, 0x02, 0x00, 0x1B, 0x01, 0x04, 0x00, 0x00]
    answer += [6, 5, 4, 3, 2, 1, 0x0B, 0xF1, 0x05]
    answer += [0xFF, 0xBE, 0x01, 0x00, 0x01, 0x06, 0x00, 0x00, 0, 0, 0]
    answer += Array("guest".utf8) + [UInt8](repeating: 0, count: 249 - 5) + [UInt8](repeating: 0, count: 11)
    let expected = ManagementChannel.Information(
      name: "guest", manufacturer: 0x05F1, version: 11, activities: ["advertising"])
    equal(ManagementChannel.information(in: answer[...], of: 2), expected)
    expect(ManagementChannel.information(in: answer[...], of: 1) == nil)
    for length in 0..<278 { expect(ManagementChannel.information(in: answer[..<length], of: 2) == nil) }
  }

  @Test(
    "The state is the kernel's", arguments: [(0, "down"), (1, "up"), (5, "up"), (2, "setting up"), (3, "setting up")])
  func state(flags: UInt32, word: String) {
    equal(AdapterFlags.state(flags), word)
  }

  @Test("The driver, the maker and a block come from the kernel's file system")
  func systemFiles() throws {
    let root = NSTemporaryDirectory() + "babbench-sysfs-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    let files = FileManager.default
    defer { try? files.removeItem(atPath: root) }
    try files.createDirectory(atPath: root + "/usb/1-1/1-1:1.0", withIntermediateDirectories: true)
    try files.createDirectory(atPath: root + "/drivers/btusb", withIntermediateDirectories: true)
    try files.createDirectory(atPath: root + "/class/hci0/rfkill7", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: root + "/usb/1-1/1-1:1.0/driver", withDestinationPath: "../../../drivers/btusb")
    try files.createSymbolicLink(atPath: root + "/class/hci0/device", withDestinationPath: "../../usb/1-1/1-1:1.0")
    try Data("Example Corp.\n".utf8).write(to: URL(fileURLWithPath: root + "/usb/1-1/manufacturer"))
    try Data("1\n".utf8).write(to: URL(fileURLWithPath: root + "/class/hci0/rfkill7/soft"))
    let adapter = SystemAdapter(0, root: root + "/class")
    equal(adapter.driver, "btusb")
    equal(adapter.maker, "Example Corp.")
    expect(adapter.isBlocked)
    let other = SystemAdapter(1, root: root + "/class")
    expect(other.driver == nil && other.maker == nil && !other.isBlocked)
  }
}
