import BabOracles
import BabSim
import BabSuite
import Bench
import CaptureFormats
import CaptureTestSupport
import Foundation
import SimKernel

@testable import CaptureCheck
@testable import Conformance
@testable import Judging

/// The captures of one run of the reference, in a folder of their own, and what the run itself found.
struct CapturedFiles {
  let folder: CaptureFolder
  /// Of the HCI of every device, then of the air.
  let paths: [String]
  /// Oracles that fail.
  let found: [String]

  init(_ text: String, seed: UInt64) throws {
    folder = try CaptureFolder()
    let scenario = try ScenarioReader.read(text: text, file: "captured.yaml", language: .bab()).get()
    let oracles = OracleReader()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [oracles, air, hci], engines: [AppProtocol.bab].engines)
    try air.close()
    try hci.close()
    found = oracles.judgement?.oracles.filter { $0.verdict == .fail }.map(\.id) ?? []
    let path = folder.path
    paths = folder.names.sorted { a, b in (a == "air.pcapng" ? 1 : 0, a) < (b == "air.pcapng" ? 1 : 0, b) }.map {
      path + "/" + $0
    }
  }

  /// All files, each alone, pairs and larger parts drawn from the seed, and all cut somewhere.
  func sets(seed: UInt64) -> [(name: String, paths: [String])] {
    var random = RandomStream(seed: seed, component: "test", purpose: "captured files")
    var sets = [("all", paths)] + paths.map { (name($0), [$0]) }
    for index in 0..<3 {
      let part = paths.filter { _ in random.next() % 2 == 0 }
      if part.count > 1 { sets.append(("part \(index): \(part.map(name))", part)) }
    }
    let cut = paths.compactMap { path -> String? in
      guard let octets = FileManager.default.contents(atPath: path) else { return nil }
      let length = octets.count / 4 + Int(random.next() % UInt64(octets.count))
      let copy = folder.path + "/cut-" + name(path)
      return FileManager.default.createFile(atPath: copy, contents: octets.prefix(length)) ? copy : nil
    }
    sets.append(("cut", cut))
    return sets
  }

  private func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The HCI captures with their packets changed; the air is left out, because its CRCs would be wrong.
  func rewritten(_ change: (inout [UInt8]) -> Void) throws -> [String] {
    try paths.filter { $0.hasSuffix(".btsnoop") }.map { path in
      try copy(path) { records in
        for index in records.indices {
          var octets = [UInt8](records[index].octets)
          change(&octets)
          records[index].octets = octets[...]
        }
      }
    }
  }

  /// All HCI captures, one of them with its records changed.
  func copy(of name: String, _ change: (inout [CaptureRecord]) -> Void) throws -> [String] {
    try paths.filter { $0.hasSuffix(".btsnoop") }.map { self.name($0) == name ? try copy($0, change) : $0 }
  }

  private func copy(_ path: String, _ change: (inout [CaptureRecord]) -> Void) throws -> String {
    let file = try CaptureFile(path: path)
    var records: [CaptureRecord] = []
    while let record = try file.next() { records.append(record) }
    change(&records)
    var octets: [UInt8] = []
    BTSnoop.appendHeader(to: &octets)
    for record in records {
      guard case .hci(_, let indicator, let isToHost) = record.body else { continue }
      BTSnoop.appendRecord(
        [indicator] + record.octets, nanoseconds: record.nanoseconds - CaptureEpoch.unixSeconds * 1_000_000_000,
        isReceived: isToHost ?? false, isCommandOrEvent: indicator != 2, to: &octets)
    }
    let copy = folder.path + "/changed-" + name(path)
    try Data(octets).write(to: URL(fileURLWithPath: copy))
    return copy
  }
}
