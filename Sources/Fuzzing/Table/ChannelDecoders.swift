package import BluetoothWire
import SimKernel

/// What puts frames of channels together.
extension FuzzedDecoder {
  /// The ends of a channel; small, so that every limit is met.
  private static let (mtu, mps) = (100, 48)

  /// K-frames of one LE credit based channel, held against the rules by a second account of them.
  package static let channelSDUs = channelSDUs {
    var assembly = L2CAP.SDUAssembly(mtu: mtu, mps: mps)
    return { assembly.receive($0, from: 0) }
  }

  /// Payloads of K-frames one after another, each with an octet before it that counts it, up to the first violation:
  /// after one the channel is disconnected.
  ///
  /// Spec: Core v5.4, Vol 3, Part A, 3.4.3.
  /// - Parameter assembly: what takes the payloads, new for each input: ours, or one with a defect.
  package static func channelSDUs(
    _ assembly: @escaping @Sendable () -> ([UInt8]) -> L2CAP.SDUAssembly.Outcome
  ) -> FuzzedDecoder {
    FuzzedDecoder(
      "l2cap-sdu", "K-frames of a credit based channel, one after another",
      in: ["Sources/BluetoothWire/L2CAP/L2CAP+KFrame.swift", "Sources/VirtualRadio/Host/Channels/CreditChannel.swift"],
      limit: 1_024, words: [[2, 0, 0], [3, 1, 0, 0xAB]],
      valid: { stream in
        (0..<1 + stream.number(below: 4)).flatMap { _ in payloads(of: stream.octets(stream.number(below: mtu + 1))) }
      },
      decode: { input in
        let receive = assembly()
        var (account, rest) = (ChannelAccount(), input[...])
        while let count = rest.popFirst() {
          let place = rest.startIndex
          let payload = Array(rest.prefix(Int(count)))
          rest = rest.dropFirst(Int(count))
          let outcome = receive(payload)
          if let rule = account.broken(by: outcome, to: payload) { return .broken(rule) }
          if case .violation(let violation) = outcome {
            return .refused(reason: reason(violation), offset: place)
          }
        }
        // An SDU that is not whole has no other form.
        let whole = account.isBetween ? account.sdus.flatMap(payloads) : nil
        return .accepted(kind: account.kind, canonical: whole)
      })
  }

  private static func reason(_ violation: L2CAP.SDUAssembly.Violation) -> String {
    switch violation {
    case .payloadExceedsMPS: "more than the MPS"
    case .noSDULength: "no SDU length"
    case .sduExceedsMTU: "more than the MTU"
    case .segmentsExceedSDULength: "more than the SDU length"
    }
  }

  /// As a sender cuts it.
  private static func payloads(of sdu: [UInt8]) -> [UInt8] {
    var segments = L2CAP.Segments(of: sdu, mps: mps)
    var octets: [UInt8] = []
    while let frame = segments.nextFrame(on: L2CAP.ChannelID(rawValue: 0x40)) {
      let payload = frame.dropFirst(L2CAP.headerLength)
      octets += [UInt8(payload.count)] + payload
    }
    return octets
  }

  /// The SDUs that payloads must give, computed by itself.
  private struct ChannelAccount {
    private(set) var sdus: [[UInt8]] = []
    /// Octets of the SDU that is under way, its length included; nil between two.
    private var octets: [UInt8]?

    var isBetween: Bool { octets == nil }
    /// How many SDUs there were, and what they hold.
    var kind: UInt64 { sdus.reduce(UInt64(sdus.count)) { RandomStream.mix($0 ^ UInt64($1.count)) } & 0xFF }

    /// The rule that an outcome breaks; nil: none.
    mutating func broken(by outcome: L2CAP.SDUAssembly.Outcome, to payload: [UInt8]) -> String? {
      let all = (octets ?? []) + payload
      let isStart = octets == nil
      var length: Int?
      if all.count >= 2 { length = Int(all[0]) + 256 * Int(all[1]) }
      var isWrong = payload.count > mps || isStart && payload.count < 2
      if let length { isWrong = isWrong || length > mtu || all.count - 2 > length }
      switch outcome {
      case .violation: return isWrong ? nil : "a K-frame that keeps the rules is refused"
      case _ where isWrong: return "a K-frame that breaks a rule is taken"
      case .nothing:
        octets = all
        return all.count - 2 == length ? "an SDU that is whole does not come" : nil
      case .sdu(let sdu):
        octets = nil
        sdus.append(sdu)
        return sdu == Array(all.dropFirst(2)) && sdu.count == length ? nil : "an SDU is not what its K-frames carry"
      }
    }
  }
}
