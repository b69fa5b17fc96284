import BluetoothWire
import Expectations
import Foundation
import Testing
import VirtualRadio

/// What one phone did as central in public logs of its HCI: a row of `phones.tsv`, which says what its columns are.
struct MeasuredPhone: CustomTestStringConvertible {
  var name: String
  /// The preset that models it.
  var preset: String
  /// Public repositories that have its logs.
  var repositories: [String]
  /// What says that it is this phone.
  var proof: String
  /// Links that were established.
  var links: Int
  /// Milliseconds.
  var interval: MeasuredQuantity?
  var latency: MeasuredQuantity?
  /// Milliseconds.
  var timeout: MeasuredQuantity?
  var askedATTMTU: MeasuredQuantity?
  var answeredATTMTU: MeasuredQuantity?
  var dataOctets: MeasuredQuantity?
  /// Links that went to LE 2M, of those whose peer supports it.
  var on2M: (count: Int, links: Int)?
  /// Its first ATT request on most links.
  var first: MeasuredHabit?
  /// Milliseconds.
  var after: MeasuredQuantity?
  /// What its host asks for on most links.
  var setup: MeasuredHabit?
  var largestDistance: Double

  var testDescription: String { name }

  static let all: [MeasuredPhone] = (try? read()) ?? []

  static func read() throws -> [MeasuredPhone] {
    let text = try Repository.text("Tests/VirtualRadioTests/Measured/phones.tsv")
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return try lines.dropFirst().map { try MeasuredPhone(line: $0) }
  }

  /// Refuses: another number of columns, a cell that is not of its kind.
  init(line: Substring) throws {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 16, let links = Int(cells[4]), let largest = Double(cells[15]) else {
      throw MalformedRow(text: String(line))
    }
    name = cells[0]
    preset = cells[1]
    repositories = cells[2].split(separator: " ").map(String.init)
    proof = cells[3]
    self.links = links
    interval = try MeasuredQuantity.read(cells[5])
    latency = try MeasuredQuantity.read(cells[6])
    timeout = try MeasuredQuantity.read(cells[7])
    askedATTMTU = try MeasuredQuantity.read(cells[8])
    answeredATTMTU = try MeasuredQuantity.read(cells[9])
    dataOctets = try MeasuredQuantity.read(cells[10])
    on2M = try Self.share(cells[11])
    first = try MeasuredHabit.read(cells[12], of: FirstPackets.requests)
    after = try MeasuredQuantity.read(cells[13])
    setup = try MeasuredHabit.read(cells[14], of: FirstPackets.procedures)
    largestDistance = largest
  }

  /// Whether most of its links were encrypted before it asked for anything.
  var encryptsFirst: Bool {
    let words = setup?.words ?? []
    return words.prefix { $0 != "MTU" && $0 != "services" }.contains("encrypt")
  }

  static func share(_ cell: String) throws -> (count: Int, links: Int)? {
    if cell == "-" { return nil }
    let numbers = cell.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 2, (0...numbers[1]).contains(numbers[0]), numbers[1] > 0 else {
      throw MalformedRow(text: cell)
    }
    return (numbers[0], numbers[1])
  }

  /// A row or cell that cannot be read.
  struct MalformedRow: Error { var text: String }
}

extension MeasuredPhone {
  /// How far a preset is from the phone: the mean over what is known of it.
  ///
  /// Each quantity is 0 within the measured range, and otherwise the natural logarithm of the ratio to its nearest end.
  /// The latency counts with one added, LE 1M and LE 2M as 1 and 2, and the time to the first request with 30 ms
  /// added, one interval of a link, within which no request is on the air earlier than another.
  /// - Parameter packets: what the preset does first; nil: measured.
  func distance(of phone: PhonePreset, with packets: FirstPackets? = nil) -> Double {
    let parts = parts(of: phone, with: packets)
    return parts.isEmpty ? .infinity : parts.reduce(0, +) / Double(parts.count)
  }

  /// The distance of every quantity that is known.
  func parts(of phone: PhonePreset, with packets: FirstPackets? = nil) -> [Double] {
    let packets = packets ?? FirstPackets.of(phone, isBonded: encryptsFirst)
    let wait = (packets.after ?? .infinity) + 30
    let asked = phone.connection.initial
    let intervals = Double(asked.intervalMinimum) * 1.25...Double(asked.intervalMaximum) * 1.25
    let latency = Double(asked.peripheralLatency) + 1
    let timeout = Double(asked.supervisionTimeout) * 10
    return [
      interval.map { Self.distance(of: intervals, from: $0.range) },
      self.latency.map { Self.distance(of: latency...latency, from: $0.range(adding: 1)) },
      self.timeout.map { Self.distance(of: timeout...timeout, from: $0.range) },
      askedATTMTU.map { Self.distance(of: phone.att.clientMTU, from: $0.range) },
      answeredATTMTU.map { Self.distance(of: phone.att.serverMTU, from: $0.range) },
      dataOctets.map { Self.distance(of: Int(phone.radio.maximumDataOctets), from: $0.rangeOfGreatest) },
      on2M.map { Self.distance(of: phone.radio.supports2M && phone.radio.prefers2M ? 2 : 1, from: Self.phys($0)) },
      after.map { Self.distance(of: wait...wait, from: $0.range(adding: 30)) },
    ].compactMap { $0 }
  }

  private static func phys(_ share: (count: Int, links: Int)) -> ClosedRange<Double> {
    (share.count == share.links ? 2 : 1)...(share.count > 0 ? 2 : 1)
  }

  private static func distance(of value: Int, from range: ClosedRange<Double>) -> Double {
    distance(of: Double(value)...Double(value), from: range)
  }

  static func distance(of values: ClosedRange<Double>, from range: ClosedRange<Double>) -> Double {
    if values.upperBound < range.lowerBound { return log(range.lowerBound / values.upperBound) }
    if values.lowerBound > range.upperBound { return log(values.lowerBound / range.upperBound) }
    return 0
  }
}

/// One quantity of a phone over its links.
///
/// Layout: `value`, or `least median greatest`; then `+` when an app or a peer set the limit, so that the phone may do
/// more.
struct MeasuredQuantity {
  private var numbers: [String]
  private var values: [Double]
  private var isOpen: Bool

  /// - Returns: nil when the quantity is not known.
  static func read(_ cell: String) throws -> MeasuredQuantity? {
    if cell == "-" { return nil }
    let isOpen = cell.hasSuffix("+")
    let numbers = (isOpen ? String(cell.dropLast()) : cell).split(separator: " ").map(String.init)
    let values = numbers.compactMap { Double($0) }
    guard values.count == numbers.count, [1, 3].contains(values.count), values == values.sorted(), values[0] >= 0 else {
      throw MeasuredPhone.MalformedRow(text: cell)
    }
    return MeasuredQuantity(numbers: numbers, values: values, isOpen: isOpen)
  }

  /// Where a preset is like the phone.
  var range: ClosedRange<Double> { range(adding: 0) }

  func range(adding addend: Double) -> ClosedRange<Double> {
    let (least, greatest) = (values[0], values[values.count - 1])
    return isOpen ? greatest + addend...Double.infinity : least + addend...greatest + addend
  }

  /// The same of a quantity that peers make smaller.
  var rangeOfGreatest: ClosedRange<Double> {
    let greatest = values[values.count - 1]
    return greatest...(isOpen ? Double.infinity : greatest)
  }

  /// As the page shows it.
  var text: String {
    if isOpen { return "≥ \(numbers[numbers.count - 1])" }
    return numbers.count == 1 ? numbers[0] : "\(numbers[1]) (\(numbers[0])–\(numbers[2]))"
  }
}

/// What a phone does on most of its links.
///
/// Layout: words, then on how many links it does that, of how many.
struct MeasuredHabit {
  var words: [String]
  private var count: Int
  private var links: Int

  /// - Returns: nil when it is not known.
  static func read(_ cell: String, of known: [String]) throws -> MeasuredHabit? {
    if cell == "-" { return nil }
    let parts = cell.split(separator: " ").map(String.init)
    let words = parts.dropLast()
    guard let last = parts.last, let share = try MeasuredPhone.share(last), !words.isEmpty,
      words.allSatisfy(known.contains), Set(words).count == words.count
    else { throw MeasuredPhone.MalformedRow(text: cell) }
    return MeasuredHabit(words: Array(words), count: share.count, links: share.links)
  }

  /// As the page shows it.
  var text: String { "\(words.joined(separator: ", ")): \(count) of \(links)" }
}
