import ArgumentParser
import Bench
import CaptureFormats
import SimKernel

/// When a capture goes on in the next file: `10MB`, `60s`, `5min`, `1000 packets`.
enum CaptureLimit: Hashable {
  case octets(Int)
  case time(SimDuration)
  case packets(Int)

  private static let units: [(name: String, octets: Int)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1_000), ("KB", 1_000), ("MB", 1_000_000),
    ("GB", 1_000_000_000), ("B", 1),
  ]

  /// As `--limit` takes it.
  init(spelling: String) throws {
    guard let limit = Self(argument: spelling) else {
      throw ValidationError("write octets, time or packets: 10MB, 60s, '1000 packets'")
    }
    self = limit
  }

  /// As `--buffer` takes it: octets alone.
  static func octets(spelling: String) throws -> Int {
    guard case .octets(let octets) = Self(argument: spelling) else {
      throw ValidationError("write octets: 500kB, 64MiB")
    }
    return octets
  }

  private init?(argument: String) {
    let text = argument.filter { $0 != " " }
    for word in ["packets", "packet"] where text.hasSuffix(word) {
      guard let count = Int(text.dropLast(word.count)), count > 0 else { return nil }
      self = .packets(count)
      return
    }
    for unit in Self.units where text.hasSuffix(unit.name) {
      guard let count = Int(text.dropLast(unit.name.count)), count > 0 else { return nil }
      let (octets, overflows) = count.multipliedReportingOverflow(by: unit.octets)
      if overflows { return nil }
      self = .octets(octets)
      return
    }
    guard let time = SimDuration(scenarioText: text), time > .zero else { return nil }
    self = .time(time)
  }
}

extension CaptureFormat {
  /// As `--format` takes it.
  init(spelling: String) throws {
    guard let format = CaptureFormat(rawValue: spelling), CaptureFormat.written.contains(format) else {
      throw ValidationError("write one of " + CaptureFormat.written.map(\.rawValue).joined(separator: ", "))
    }
    self = format
  }

  /// What a file's name says it is; nil when it says nothing.
  init?(fileName: String) {
    switch fileName.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased() {
    case "btsnoop", "snoop", "log", "cfa": self = .btsnoop
    case "pcap", "cap": self = .pcap
    case "pcapng", "ntar": self = .pcapng
    case "pklg": self = .packetLogger
    default: return nil
    }
  }
}
