import CaptureCheck
import CaptureFormats
import Foundation
import SimKernel

/// Reading a capture, rebuilding its links and ATT, and judging it by the general rules: CPU and memory, beside a bare
/// walk over the record headers of the same file and other people's readers in the same run.
enum CaptureBenchmark {
  /// What is made of the records: each row does more than the one above.
  private enum Depth: String, CaseIterable {
    case records = "records, taken apart"
    case traffic = "+ links, frames, ATT_MTU, attributes"
    case rules = "+ the general rules"
  }

  static func report(megabytes: Int = 200, streamed: Int = 4_000) {
    print("Captures: \(megabytes) MB btsnoop of a lobby's host, 7 links, from ../shared/peerbench/gen_btsnoop.py")
    let folder = FileManager.default.temporaryDirectory.appending(path: "babbench-capture-\(getpid())").path()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/all.btsnoop"
    guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
      generate(file, megabytes)
    else { return print("    no python3 or no ../shared/peerbench here: not measured") }
    let size = octets(of: file)
    var records = 0
    let walk = leastCPU { records = self.walk(file) }
    row("  bare walk of \(records) record headers", size / walk / 1e6, "MB/CPU s", target: "the same loop, read()")
    for depth in Depth.allCases {
      resetPeakMemory()
      var read = 0
      let seconds = leastCPU { read = self.read(file, depth) }
      if read != records { print("    READS \(read) RECORDS, the walk \(records)") }
      row("  \(depth.rawValue)", size / seconds / 1e6, "MB/CPU s", target: depth == .rules ? "≥ 300" : "")
      row("    per record", seconds / Double(records) * 1e9, "ns", target: "")
      row("    CPU of the bare walk", seconds / walk, "x", target: "")
      row("    peak memory", peakMegabytes(), "MB", target: "≤ 100")
    }
    if streamed > 0 { stream(file, folder, megabytes: streamed) }
    CaptureCommands.report(file)
  }

  // MARK: This bench

  private static func read(_ path: String, _ depth: Depth) -> Int {
    let reader = TrafficReader(observers: depth == .rules ? [RuleBook()] : [])
    var count = 0
    var first: Int64?
    do {
      let file = try CaptureFile(path: path)
      while let record = try file.next() {
        count += 1
        if depth == .records { continue }
        let start = first ?? record.nanoseconds
        first = start
        reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - start))
      }
    } catch {
      print("    \(error)")
    }
    reader.finish()
    return count
  }

  /// The least that any reader must do: read the file in pieces and step from header to header.
  private static func walk(_ path: String) -> Int {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var count = 0
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { piece.deallocate() }
    var position = 16
    var filled = 0
    while true {
      let got = Foundation.read(descriptor, piece.baseAddress! + filled, piece.count - filled)
      if got <= 0 { return count }
      filled += got
      while position + 24 <= filled {
        let length = Int(UInt32(bigEndian: piece.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)))
        if position + 24 + length > filled { break }
        position += 24 + length
        count += 1
      }
      // What is left of the last record goes to the front.
      piece.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[position..<filled]))
      filled -= position
      position = 0
    }
  }

  /// The same octets again and again through a pipe, as if they were a file that no disk has to hold.
  private static func stream(_ file: String, _ folder: String, megabytes: Int) {
    let pipe = folder + "/pipe"
    guard mkfifo(pipe, 0o600) == 0 else { return }
    let size = octets(of: file)
    let repeats = max(1, Int((Double(megabytes) * 1e6 / size).rounded(.up)))
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = [
      "-c", "{ cat \"$0\"; i=1; while [ $i -lt \(repeats) ]; do tail -c +17 \"$0\"; i=$((i+1)); done; } >\"$1\"", file,
      pipe,
    ]
    guard (try? writer.run()) != nil else { return }
    resetPeakMemory()
    let before = cpuSeconds()
    let count = read(pipe, .rules)
    let seconds = cpuSeconds() - before
    writer.waitUntilExit()
    let total = size * Double(repeats)
    row("  \(Int(total / 1e6)) MB by a pipe, \(count) records", total / seconds / 1e6, "MB/CPU s", target: "")
    row("    peak memory", peakMegabytes(), "MB", target: "as above")
  }

  // MARK: Measures

  private static func generate(_ path: String, _ megabytes: Int) -> Bool {
    let script = Places.shared.appending(path: "peerbench/gen_btsnoop.py").path()
    guard FileManager.default.fileExists(atPath: script) else { return false }
    return QueueBenchmark.run("python3", [script, path, String(megabytes)]) != nil
  }

  private static func octets(of path: String) -> Double {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return Double((attributes?[.size] as? Int) ?? 0)
  }

  /// Linux: the peak of resident memory begins again.
  private static func resetPeakMemory() {
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }

  /// Since the last reset; 0 where the system does not say.
  private static func peakMegabytes() -> Double {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
    else { return 0 }
    return kilobytes * 1_024 / 1e6
  }
}
