package import BluetoothWire
package import SimKernel

/// The air without link layers: PDUs that nobody decided to send, judged one by one. Laws are held against it.
///
/// A PDU is judged as `Medium` judges one of a radio. Not modelled: whether a radio would have sent or listened then.
package final class MediumProbe {
  private let medium: Medium

  /// - Parameters:
  ///   - positions: one radio at each, `radio-0` and so on, with 0 dBm.
  ///   - sensitivity: hundredths of dBm.
  package init(environment: RadioEnvironment, seed: UInt64, positions: [Position], sensitivity: Int = -9_500) {
    medium = Medium(
      environment: environment, seed: seed, names: positions.indices.map { "radio-\($0)" }, positions: positions,
      transmitPowers: positions.map { _ in 0 }, sensitivities: positions.map { _ in sensitivity },
      hasCoded: true)
  }

  /// Received level, hundredths of dBm.
  package func level(from transmitter: Int, to receiver: Int) -> Int { medium.level(from: transmitter, to: receiver) }

  /// Level of an interferer at a radio on an RF channel, hundredths of dBm; nil: it is silent there.
  package func level(ofInterferer index: Int, at receiver: Int, onRFChannel channel: Int) -> Int? {
    medium.interference.attenuation(index, onRFChannel: channel).map {
      medium.level(ofInterferer: index, at: receiver) - $0
    }
  }

  /// Puts a PDU on the air that may disturb one that is judged later. Calls go by the order of starts.
  package func disturb(by radio: Int, channel: Int, start: SimInstant, end: SimInstant) {
    medium.register(radio: radio, channel: channel, start: start, end: end)
  }

  /// How a PDU arrives at a receiver. Starts never go back by more than the longest PDU.
  package func fate(
    from transmitter: Int, to receiver: Int, channel: Int, start: SimInstant, payloadLength: Int, phy: LL.AirPHY
  ) -> AirPDU.Fate {
    let end = start + SimDuration(nanoseconds: LL.airTime(payloadLength: payloadLength, phy: phy))
    return medium.judge(from: transmitter, to: receiver, channel: channel, start: start, end: end, phy: phy).fate
  }

  /// How long an interferer is on from the start of the run to `end`, whole milliseconds of it.
  package func timeOn(ofInterferer index: Int, until end: SimInstant) -> SimDuration {
    var total = SimDuration.zero
    var from = SimInstant.zero
    while from < end {
      let to = from + .milliseconds(1)
      medium.interference.times(of: index, to: to).forEach(from: from, to: to) { span in
        if span.start >= from { total += span.end - span.start }
      }
      from = to
    }
    return total
  }
}
