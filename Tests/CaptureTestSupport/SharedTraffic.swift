package import CaptureCheck
package import CaptureFormats
import Expectations
import Foundation
import SimKernel

/// Captures that others made.
package enum SharedTraffic {
  package static let folder = Repository.shared + "/captures"

  /// Their names without what stands behind the number, for tables; the files in their order.
  package static let files: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
    if names.isEmpty {
      print("SKIPPED: no shared captures at \(folder) (set BABBENCH_SHARED); real traffic is not read")
    }
    return names.filter { $0.first?.isNumber == true }
  }()

  package static func path(_ number: String) -> String? {
    files.first { $0.hasPrefix(number + "-") }.map { folder + "/" + $0 }
  }

  package static func records(_ number: String) throws -> [CaptureRecord] {
    guard let path = path(number) else { throw CocoaError(.fileNoSuchFile) }
    let file = try CaptureFile(path: path)
    var records: [CaptureRecord] = []
    while let record = try file.next() { records.append(record) }
    return records
  }

  /// Shows a file to observers. - Returns: the reader, and why the file was refused.
  @discardableResult
  package static func read(_ path: String, skipping records: Int = 0, _ observers: [any TrafficObserver]) -> (
    reader: TrafficReader, refusal: String?
  ) {
    let reader = TrafficReader(observers: observers)
    defer { reader.finish() }
    do {
      let file = try CaptureFile(path: path)
      var first: Int64?
      while let record = try file.next() {
        if record.number <= records { continue }
        let start = first ?? record.nanoseconds
        first = start
        reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - start))
      }
    } catch {
      return (reader, "\(error)")
    }
    return (reader, nil)
  }
}
