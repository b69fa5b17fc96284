import CaptureFormats
import Expectations
import Foundation

/// Files that others made, and golden octets out of them.
enum SharedFile {
  static let folder = Repository.shared + "/captures"

  /// Whether the shared captures are here; says so when they are not.
  static let areAvailable: Bool = {
    if FileManager.default.fileExists(atPath: folder + "/INDEX.tsv") { return true }
    print("SKIPPED: no shared captures at \(folder) (set BABBENCH_SHARED); tests against whole captures do not run")
    return false
  }()

  struct Entry: CustomStringConvertible, Sendable {
    var name: String
    var format: String
    var datalink: String
    var packets: Int
    var description: String { name }
  }

  /// The entries of INDEX.tsv, all of them or those of a format.
  static func entries(_ format: String? = nil) throws -> [Entry] {
    try String(contentsOfFile: folder + "/INDEX.tsv", encoding: .utf8).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count > 3, format == nil || fields[1] == format ?? "", let packets = Int(fields[3]) else {
        return nil
      }
      return Entry(
        name: String(fields[0]), format: String(fields[1]), datalink: String(fields[2]), packets: packets)
    }
  }

  /// The one whose name starts with this number.
  static func numbered(_ number: String) throws -> Entry {
    guard let entry = try entries().first(where: { $0.name.hasPrefix(number + "-") }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return entry
  }

  static func octets(_ entry: Entry) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + entry.name)))
  }
}

/// A file read to its end.
struct ReadFile {
  var records: [CaptureRecord] = []
  var reader = CaptureReader()

  init(_ octets: [UInt8], chunk: Int = .max) throws(CaptureError) {
    var position = 0
    repeat {
      let count = min(chunk, octets.count - position)
      reader.append(Array(octets[position..<position + count]))
      position += count
      while let record = try reader.next() { records.append(record) }
    } while position < octets.count
    try reader.finish()
  }

  /// Without places in memory, which differ with the pieces.
  var plain: [CaptureRecord] {
    records.map { record in
      var record = record
      record.octets = Array(record.octets)[...]
      return record
    }
  }
}
