/// Which records of captures are drawn: all where there are few, else the first and those around findings.
struct PictureSelection {
  private let total: Int
  private let limit: Int
  /// How many from the first on.
  let first: Int
  /// By capture, numbers of records, in their order and apart.
  private var windows: [[ClosedRange<Int>]]
  /// Findings whose surroundings are drawn, and those for which there is no room.
  private(set) var shownFindings = 0
  private(set) var omittedFindings = 0

  /// - Parameters:
  ///   - records: of each capture.
  ///   - findings: places that they name.
  init(records: [Int], findings: [PacketPlace], limits: CapturePicture.Limits) {
    total = records.reduce(0, +)
    limit = limits.records
    windows = Array(repeating: [], count: records.count)
    guard total > limits.records else {
      first = total
      return
    }
    first = findings.isEmpty ? limits.records : limits.records / 2
    var room = limits.records - first
    for place in Set(findings).sorted() where windows.indices.contains(place.file) {
      let window = max(1, place.number - limits.reach)...place.number + limits.reach
      let last = windows[place.file].last
      let overlap = last.map { $0.upperBound >= window.lowerBound } ?? false
      let cost = overlap ? window.upperBound - last!.upperBound : window.count
      guard cost <= room else {
        omittedFindings += 1
        continue
      }
      room -= cost
      shownFindings += 1
      if overlap {
        windows[place.file][windows[place.file].count - 1] = last!.lowerBound...window.upperBound
      } else {
        windows[place.file].append(window)
      }
    }
  }

  /// - Parameter ordinal: of the record among those of all captures, from 1.
  func draws(_ ordinal: Int, _ place: PacketPlace) -> Bool {
    if ordinal <= first { return true }
    guard windows.indices.contains(place.file) else { return false }
    let ranges = windows[place.file]
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < place.number { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(place.number)
  }

  /// Whether nothing after this record is drawn in any capture.
  /// - Parameter newest: number of the newest record of each capture.
  func isOver(_ ordinal: Int, newest: [Int]) -> Bool {
    guard ordinal >= first else { return false }
    return zip(windows, newest).allSatisfy { ranges, number in (ranges.last?.upperBound ?? 0) <= number }
  }
}
