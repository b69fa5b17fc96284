import AppSeam
import Foundation
import SimKernel

@testable import VirtualNetwork

/// What interfaces of a network saw, for programs that read captures.
enum CaptureFile {
  static let tshark: String? = {
    let path = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + "tshark" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    if path == nil { print("SKIPPED: tshark is not installed; packets of the network are not judged by it") }
    return path
  }()

  /// A pcap file with nanoseconds, of LINKTYPE 1.
  static func octets(_ house: NetworkHouse, _ device: Int, _ interface: NetworkInterface) -> [UInt8] {
    var file: [UInt8] = []
    func append(_ word: UInt32) {
      for shift in [0, 8, 16, 24] { file.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    for word in [0xA1B2_3C4D, 0x0004_0002, 0, 0, 65_535, 1] as [UInt32] { append(word) }
    for (instant, owner, event) in house.events {
      guard owner == device, case .packet(let packet) = event, packet.interface == interface else { continue }
      append(UInt32(instant.nanoseconds / 1_000_000_000))
      append(UInt32(instant.nanoseconds % 1_000_000_000))
      append(UInt32(packet.octets.count))
      append(UInt32(packet.octets.count))
      file += packet.octets
    }
    return file
  }

  /// Fields of all packets as tshark reads them, a line each.
  static func lines(
    _ house: NetworkHouse, _ device: Int, _ interface: NetworkInterface, fields: [String]
  ) throws -> [String] {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("network-\(UUID().uuidString).pcap")
    try Data(octets(house, device, interface)).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tshark!)
    var arguments = ["-r", url.path, "-T", "fields"]
    for name in ["tcp", "ip", "udp"] { arguments += ["-o", "\(name).check_checksum:TRUE"] }
    for field in fields { arguments += ["-e", field] }
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
