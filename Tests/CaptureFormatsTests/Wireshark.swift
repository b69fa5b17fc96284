import CaptureFormats
import Foundation

/// Wireshark's programs, which judge what we read and write.
enum Wireshark {
  static let tshark = find("tshark")
  static let capinfos = find("capinfos")
  static let editcap = find("editcap")
  static var isThere: Bool { tshark != nil && capinfos != nil && editcap != nil }

  private static func find(_ tool: String) -> String? {
    let path = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + tool }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    if path == nil { print("SKIPPED: \(tool) is not installed; capture files are not judged by it") }
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

  /// A packet as tshark shows it. It counts and shows the octets behind the pseudo-headers of link types 201 and 254.
  struct Packet: Equatable {
    var time: String
    var length: Int
    var captured: Int
    /// `Sent`, `Received`, or nothing.
    var direction: String
    var adapter: String
    var octets: [UInt8] = []
  }

  private static let columns =
    "gui.column.format:"
    + ["frame.time_epoch", "frame.len", "frame.cap_len", "frame.p2p_dir", "hci_mon.adapter_id"]
    .map { "\"\($0)\",\"%Cus:\($0)\"" }.joined(separator: ",")

  /// With the octets of each packet.
  static func packets(_ path: String) throws -> [Packet] {
    var packets: [Packet] = []
    for line in try run(tshark, ["-r", path, "-P", "-x", "-o", columns]).split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.dropFirst(4).hasPrefix("  "), line.prefix(4).allSatisfy(\.isHexDigit) {
        // Offset, two spaces, sixteen octets and a space each, the same as text.
        let hex = line.dropFirst(6).prefix(48).split(separator: " ")
        let room = packets[packets.count - 1].captured - packets[packets.count - 1].octets.count
        // Behind the frame comes what tshark put together from several.
        packets[packets.count - 1].octets += hex.prefix(min(16, room)).compactMap { UInt8($0, radix: 16) }
      } else if words.count >= 3, let length = Int(words[1]), let captured = Int(words[2]) {
        let rest = words.dropFirst(3).map(String.init)
        let direction = rest.first { $0 == "Sent" || $0 == "Received" } ?? ""
        packets.append(
          Packet(
            time: String(words[0]), length: length, captured: captured, direction: direction,
            adapter: rest.first { Int($0) != nil } ?? ""))
      }
    }
    return packets
  }

  /// Time, length, captured length of each packet.
  static func lengths(_ path: String) throws -> [[String]] {
    let arguments = ["-r", path, "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len", "-e", "frame.cap_len"]
    return try run(tshark, arguments + ["-e", "frame.p2p_dir"]).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Octets that tshark keeps to itself.
  static func hiddenOctets(_ link: CaptureLink, _ format: CaptureFormat) -> Int {
    link == .h4WithDirection || link == .linuxMonitor && format != .btsnoop ? 4 : 0
  }

  static func time(_ nanoseconds: Int64) -> String {
    let fraction = String(nanoseconds % 1_000_000_000)
    return "\(nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count) + fraction
  }
}

/// A file that goes away with the value.
final class TemporaryFile {
  let path: String

  init(_ octets: [UInt8], _ ending: String) throws {
    path = NSTemporaryDirectory() + "/babbench-formats-" + UUID().uuidString + "." + ending
    try Data(octets).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var octets: [UInt8] { get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) } }
}

extension CaptureWriter {
  /// A whole file, and why records are missing in it.
  static func file(
    _ records: [CaptureRecord], _ format: CaptureFormat, _ link: CaptureLink? = nil, countsMicroseconds: Bool = false
  ) -> (octets: [UInt8], mismatches: [Mismatch]) {
    var writer = CaptureWriter(format: format, link: link, application: "babbench tests")
    writer.countsMicroseconds = countsMicroseconds
    var octets: [UInt8] = []
    var mismatches: [Mismatch] = []
    for record in records {
      do { try writer.append(record, to: &octets) } catch { mismatches.append(error) }
    }
    writer.finish(into: &octets)
    return (octets, mismatches)
  }
}
