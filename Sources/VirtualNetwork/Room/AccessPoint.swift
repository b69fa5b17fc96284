/// A channel of Wi-Fi: a band and the number that IEEE 802.11-2020 gives it there.
package struct WiFiChannel: Hashable, Sendable {
  package enum Band: UInt8, Hashable, Sendable {
    case twoPointFour
    case five
  }

  package var band: Band
  package var number: Int

  package init(_ band: Band, _ number: Int) {
    self.band = band
    self.number = number
  }

  /// The social channels of AWDL that the bench uses (NET 4.3).
  package static let social6 = WiFiChannel(.twoPointFour, 6)
  package static let social149 = WiFiChannel(.five, 149)

  /// The middle of the channel (IEEE 802.11-2020, 15.4.4.3 and 17.3.8.4.2).
  package var centreMHz: Int {
    switch band {
    case .twoPointFour: number == 14 ? 2_484 : 2_407 + 5 * number
    case .five: 5_000 + 5 * number
    }
  }
}

/// The access point of a room (NET 3.1).
package struct AccessPoint: Hashable, Sendable {
  package var channel = WiFiChannel(.five, 44)
  package var rate = WiFiRate.ofdm(megabits: 54)
  /// Its stations cannot reach each other.
  package var isolates = false
  /// It sends on what comes for a group.
  package var forwardsMulticast = true
  /// Frames are encrypted, which adds 16 octets to each (NET 2.5).
  package var isEncrypted = false

  package init() {}
}
