/// Closed forms of one exchange of Wi-Fi, in microseconds (IEEE 802.11-2020, 10.3, 17.4.3, 17.4.4; clause 18).
enum WiFiExchange {
  static let meanBackOff = 67.5
  static let slot = 9.0

  static func shortSpace(isLower: Bool) -> Double { isLower ? 10 : 16 }
  static func distributedSpace(isLower: Bool) -> Double { shortSpace(isLower: isLower) + 2 * slot }

  /// A PPDU of OFDM; 6 µs more in the 2.4 GHz band.
  static func ppdu(_ octets: Int, megabits: Int, isLower: Bool) -> Double {
    let symbols = (16 + 8 * octets + 6 + 4 * megabits - 1) / (4 * megabits)
    return 20 + 4 * Double(symbols) + (isLower ? 6 : 0)
  }

  /// Everything but the back-off: DIFS, the frame, SIFS and the answer.
  static func fixed(packet: Int, megabits: Int, isLower: Bool = false) -> Double {
    let answer = megabits >= 24 ? 24 : megabits >= 12 ? 12 : 6
    return distributedSpace(isLower: isLower) + ppdu(packet + 38, megabits: megabits, isLower: isLower)
      + shortSpace(isLower: isLower) + ppdu(14, megabits: answer, isLower: isLower)
  }

  /// The least of n back-offs, each drawn evenly from 0 … 15 slots.
  static func winnersBackOff(_ stations: Int) -> Double {
    slot * (1...15).reduce(0.0) { $0 + RealNumbers.power(Double($1) / 16, stations) }
  }

  /// Before the attempt after so many failures.
  static func meanBackOff(failures: Int) -> Double { slot * Double((16 << failures) - 1) / 2 }
}
