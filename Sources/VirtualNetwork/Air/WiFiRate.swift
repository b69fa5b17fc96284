package import SimKernel

/// A rate of one 20 MHz channel with the long guard interval, and the airtime that follows from it.
package enum WiFiRate: Hashable, Sendable {
  /// 6, 9, 12, 18, 24, 36, 48 or 54 Mb/s (IEEE 802.11-2020, clause 17, and clause 18 in the band of 2.4 GHz).
  case ofdm(megabits: Int)
  /// MCS 0 … 7 of each stream (clause 19); frames for one receiver are aggregated.
  case ht(index: Int, streams: Int = 1)
  /// MCS 0 … 8 of each stream (clause 21); frames for one receiver are aggregated.
  case vht(index: Int, streams: Int = 1)

  /// The rates of OFDM, Mbit/s.
  package static let ofdmMegabits = [6, 9, 12, 18, 24, 36, 48, 54]

  private static let bitsPerSymbol = [26, 52, 78, 104, 156, 208, 234, 260, 312]

  /// Data bits in a symbol of 4 µs.
  var bitsPerSymbol: Int {
    switch self {
    case .ofdm(let megabits): 4 * megabits
    case .ht(let index, let streams), .vht(let index, let streams): Self.bitsPerSymbol[index] * streams
    }
  }

  package var aggregates: Bool {
    if case .ofdm = self { false } else { true }
  }

  private var preamble: SimDuration {
    switch self {
    case .ofdm: .microseconds(20)
    case .ht(_, let streams): .microseconds(32 + 4 * Int64(streams))
    case .vht(_, let streams): .microseconds(36 + 4 * Int64(streams))
    }
  }

  /// The time of a PPDU with so many octets between SERVICE field and tail (NET 2.1 to 2.4).
  package func airtime(_ octets: Int, _ band: WiFiChannel.Band) -> SimDuration {
    let symbols = (16 + 8 * octets + 6 + bitsPerSymbol - 1) / bitsPerSymbol
    let signalExtension: Int64 = band == .twoPointFour ? 6 : 0
    return preamble + .microseconds(4 * Int64(symbols) + signalExtension)
  }

  /// The highest mandatory rate that is not above its own (NET 2.7).
  var answer: WiFiRate { .ofdm(megabits: bitsPerSymbol >= 96 ? 24 : bitsPerSymbol >= 48 ? 12 : 6) }
}

/// Constants of the distributed coordination function (IEEE 802.11-2020, 10.3; NET 2.5 to 2.10).
enum WiFiTimes {
  static let slot = SimDuration.microseconds(9)
  static let acknowledgement = 14
  static let blockAcknowledgement = 32
  /// QoS MAC header, LLC and SNAP, frame check sequence.
  static let framing = 26 + 8 + 4
  static let encryption = 16
  /// For beacons and frames to groups.
  static let basic = WiFiRate.ofdm(megabits: 6)
  static let maximumAttempts = 7
  static let maximumAggregate = 32
  static let longestAggregate = SimDuration.microseconds(5_484)

  static func shortSpace(_ band: WiFiChannel.Band) -> SimDuration {
    band == .five ? .microseconds(16) : .microseconds(10)
  }

  static func distributedSpace(_ band: WiFiChannel.Band) -> SimDuration { shortSpace(band) + slot * 2 }

  /// Slots of a back-off are drawn from 0 up to this bound, which is not one of them.
  static func contentionWindow(failures: Int) -> UInt64 { 1 << UInt64(min(4 + failures, 10)) }

  /// The answer to a frame, with the space before it.
  static func answer(to rate: WiFiRate, _ octets: Int, _ band: WiFiChannel.Band) -> SimDuration {
    shortSpace(band) + rate.answer.airtime(octets, band)
  }
}
