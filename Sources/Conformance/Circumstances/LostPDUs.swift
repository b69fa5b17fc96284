import Bench
import BluetoothWire
import VirtualRadio

/// PDUs of one device that another one has not received, since the last one that it has.
struct LostPDUs: Sendable {
  /// So many explain something: a link that is never established has this many events (Core v5.4, Vol 6, Part B,
  /// 4.5.2).
  private static let leastOfLinks = 6
  /// The same of advertising, of which a room may lose some in a row.
  private static let leastOfAdvertising = 12
  /// More channels are not named.
  private static let fewChannels = 4

  /// The link that they are of, or the access address of advertising.
  let accessAddress: UInt32
  /// Without those whose receiver was gone.
  private(set) var count = 0
  private var losses: [(loss: PDULoss, count: Int)] = []
  /// A bit for each channel index.
  private var channels: UInt64 = 0
  /// The strongest of them at the receiver, and what that needs, in dBm.
  private var level = Int8.min
  private var sensitivity = Int8.min
  /// How far away it was sent, in centimetres; 0: that is not known.
  private var distance = 0

  /// So many of one cause explain something.
  private let least: Int

  /// - Parameter least: nil: what is usual for links and for advertising.
  init(of accessAddress: UInt32, least: Int? = nil) {
    self.accessAddress = accessAddress
    self.least = least ?? (accessAddress == LL.advertisingAccessAddress ? Self.leastOfAdvertising : Self.leastOfLinks)
  }

  mutating func add(_ loss: PDULoss, rfChannel: UInt8, level: Int8, sensitivity: Int8, distance: Int = 0) {
    if loss == .receiverGone { return }
    count += 1
    channels |= 1 << UInt64(LL.channelIndex(rfChannel: rfChannel))
    if level > self.level { (self.level, self.distance) = (level, distance) }
    self.sensitivity = sensitivity
    if let place = losses.firstIndex(where: { $0.loss == loss }) {
      losses[place].count += 1
    } else {
      losses.append((loss, 1))
    }
  }

  private var main: (loss: PDULoss, count: Int)? {
    guard let main = losses.max(by: { $0.count < $1.count }), main.count >= least, main.count * 10 >= count * 9
    else { return nil }
    return main
  }

  /// What lost nearly all of them, where that is no plain course of things; nil: they are few, several things did, the
  /// receiver was busy, or the scenario orders it.
  var cause: PDULoss? {
    guard let loss = main?.loss else { return nil }
    return switch loss {
    case .receiverGone, .notListening, .ownTransmission, .covered: nil
    case .outsideWindow(let drift, let claimed): drift > claimed ? loss : nil
    case .level, .collision, .interferer, .noise, .burst, .chance, .tooLong: loss
    }
  }

  /// `18 of 18 PDUs from client-1 to host were lost on channels 0 and 1 by the room's loss rate`; empty: no cause.
  /// - Parameter what: after `18 of 18 `, in the plural.
  func words(_ what: String, to receiver: String, _ header: TraceHeader) -> String {
    guard let cause, let main else { return "" }
    return "\(main.count) of \(count) \(what) \(words(cause, receiver, header))"
  }

  private var channelWords: String {
    let indices = (0..<40).filter { channels >> UInt64($0) & 1 == 1 }
    guard indices.count <= Self.fewChannels, let last = indices.last else { return "" }
    if indices.count == 1 { return " on channel \(last)" }
    return " on channels \(indices.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
  }

  private func words(_ loss: PDULoss, _ receiver: String, _ header: TraceHeader) -> String {
    switch loss {
    // Fading may have weakened what was strong enough.
    case .level where level >= sensitivity: "came too weak for its receiver, which needs \(sensitivity) dBm"
    case .level:
      "came with \(level) dBm at most\(distance < 100 ? "" : " from \(distance / 100) m away"), and its receiver needs"
        + " \(sensitivity) dBm"
    case .outsideWindow(let drift, let claimed):
      "came while \(receiver) did not listen, because their clocks drift apart by \(drift) ppm and claim"
        + " \(claimed) ppm together"
    case .tooLong: "came with more octets than the receiver takes"
    default: "were lost\(channelWords) \(loss.words(header))"
    }
  }
}
