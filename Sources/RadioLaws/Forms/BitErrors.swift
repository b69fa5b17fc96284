import BluetoothWire

/// What bit errors do to PDUs and to connection events.
package enum BitErrors {
  /// Bits of preamble and access address.
  static func syncBits(_ phy: LL.AirPHY) -> Int { phy == .le2M ? 48 : 40 }
  /// All bits of a PDU.
  static func bits(payload: Int, phy: LL.AirPHY) -> Int {
    Exchange.airTime(payload: payload, phy: phy) * (phy == .le2M ? 2 : 1)
  }

  /// Non-coherent detection of binary FSK: ½·e^(−SNR/2).
  static func rate(signalToNoise decibels: Double) -> Double {
    RealNumbers.exponential(-RealNumbers.ratio(decibels: decibels) / 2) / 2
  }

  /// That many bits arrive.
  static func survival(_ rate: Double, bits: Int) -> Double { RealNumbers.power(1 - rate, bits) }

  /// The probability that a PDU on LE 1M arrives at a signal-to-noise ratio.
  package static func survival(signalToNoise decibels: Double, payload: Int) -> Double {
    survival(rate(signalToNoise: decibels), bits: bits(payload: payload, phy: .le1M))
  }

  /// The probability that a PDU on LE Coded arrives at a signal-to-noise ratio: 10 bits for the preamble and 37 of the
  /// first block of the code gain as with S = 8, those of the second as its coding does, in decibels.
  static func codedSurvival(signalToNoise decibels: Double, payload: Int, gain: Double, gainOfS8: Double) -> Double {
    survival(rate(signalToNoise: decibels + gainOfS8), bits: 47)
      * survival(rate(signalToNoise: decibels + gain), bits: 8 * (5 + payload) + 3)
  }

  /// Small values that arrive in a connection event of at most `exchanges`, when each end closes it after two PDUs in a
  /// row that it could not read, or after one that it did not hear (Vol 6, Part B, 4.5.6).
  ///
  /// A Markov chain over both counts and over whether the value under way has arrived already.
  static func valuesPerEvent(rate: Double, exchanges: Int) -> Double {
    let chain = EventChain(rate: rate, exchanges: exchanges)
    let (fresh, repeated) = (chain.event(hasArrived: false), chain.event(hasArrived: true))
    let arrived = fresh.arrived / (fresh.arrived + 1 - repeated.arrived)
    return fresh.values * (1 - arrived) + repeated.values * arrived
  }

  /// Transmissions of a PDU until its acknowledgement has arrived, when every PDU has a bad CRC with that probability.
  ///
  /// B, the repeats of a PDU that has arrived, from the start of an event: the central's PDU, which carries the
  /// acknowledgement, is bad with p; then the peripheral answers and listens on, and a second bad one closes the event,
  /// so B = p (1 + p B).
  /// A, the further transmissions of one that has not: if the central's PDU was good, a value that is bad is asked for
  /// again while nobody listens; if it was bad, the event has a second try, so
  /// A = q (1 + q B + p A) + p (1 + q p B + p (p A + q (1 + q B + p A))).
  /// The first transmission follows a PDU of the central that acknowledged the one before, so it was good.
  static func transmissions(loss p: Double) -> Double {
    let q = 1 - p
    let repeats = p / (1 - p * p)
    let constant = q * (1 + q * repeats) + p * (1 + q * p * repeats + p * q * (1 + q * repeats))
    let again = constant / (1 - q * p - p * p * p - p * p * q * p)
    return 1 + q * repeats + p * again
  }
}

/// One connection event in which a peripheral always has a small value to send.
private struct EventChain {
  private let unheard: Double
  private let badEmpty: Double
  private let badValue: Double
  private let exchanges: Int

  init(rate: Double, exchanges: Int) {
    func loss(_ bits: Int) -> Double { 1 - BitErrors.survival(rate, bits: bits) }
    unheard = loss(BitErrors.syncBits(.le1M))
    badEmpty = loss(BitErrors.bits(payload: 0, phy: .le1M)) - unheard
    badValue = loss(BitErrors.bits(payload: 27, phy: .le1M)) - unheard
    self.exchanges = exchanges
  }

  /// A state as an index: bad PDUs in a row of the central (0, 1), of the peripheral (0, 1), the value has arrived.
  private static func index(_ central: Int, _ peripheral: Int, _ hasArrived: Bool) -> Int {
    central * 4 + peripheral * 2 + (hasArrived ? 1 : 0)
  }

  /// Values of an event, and the probability that one had arrived unacknowledged at its end.
  func event(hasArrived: Bool) -> (values: Double, arrived: Double) {
    var states = [Double](repeating: 0, count: 8)
    states[Self.index(0, 0, hasArrived)] = 1
    var (values, arrived) = (0.0, 0.0)
    for _ in 0..<exchanges {
      var next = [Double](repeating: 0, count: 8)
      for state in states.indices where states[state] > 0 {
        let weight = states[state]
        let (central, peripheral, had) = (state / 4, state / 2 % 2, state % 2 == 1)
        func close(_ weight: Double, _ had: Bool) { arrived += had ? weight : 0 }
        close(weight * unheard, had)
        // The peripheral could not read the central's PDU, or could.
        for (share, bad, has) in [(badEmpty, peripheral + 1, had), (1 - unheard - badEmpty, 0, false)] {
          let weight = weight * share
          if bad == 2 {
            close(weight, has)
            continue
          }
          close(weight * unheard, has)
          if central + 1 == 2 {
            close(weight * badValue, has)
          } else {
            next[Self.index(central + 1, bad, has)] += weight * badValue
          }
          let taken = weight * (1 - unheard - badValue)
          values += has ? 0 : taken
          next[Self.index(0, bad, true)] += taken
        }
      }
      states = next
    }
    for state in states.indices where state % 2 == 1 { arrived += states[state] }
    return (values, arrived)
  }
}
