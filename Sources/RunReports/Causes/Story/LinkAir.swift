import Bench
import Conformance
import SimKernel
import VirtualRadio

/// What was on the air between two devices for some time.
struct LinkAir {
  /// Indices of PDUs.
  private(set) var pdus: [Int] = []
  private(set) var lost: [(loss: PDULoss, count: Int)] = []
  /// The longest time in which neither received a PDU of the other.
  private(set) var silence: (from: SimInstant, to: SimInstant)
  /// PDUs that the two exchanged with others meanwhile.
  private(set) var elsewhere = 0

  /// - Parameter air: in the order of their starts.
  init(_ air: [AirPDU], between a: Int, and b: Int, from start: SimInstant, to end: SimInstant) {
    var latest = start
    silence = (start, start)
    for index in Self.first(air, from: start)..<air.count {
      let pdu = air[index]
      if pdu.start > end { break }
      guard let receiver = pdu.receiver else { continue }
      let ends = (pdu.transmitter, receiver)
      guard ends == (a, b) || ends == (b, a) else {
        if ends.0 == a || ends.0 == b || ends.1 == a || ends.1 == b { elsewhere += 1 }
        continue
      }
      pdus.append(index)
      if let loss = pdu.loss {
        count(loss)
      } else {
        if pdu.start - latest > silence.to - silence.from { silence = (latest, pdu.start) }
        latest = pdu.start
      }
    }
    if end - latest > silence.to - silence.from { silence = (latest, end) }
    lost.sort { $0.count > $1.count }
  }

  private mutating func count(_ loss: PDULoss) {
    if let place = lost.firstIndex(where: { $0.loss == loss }) {
      lost[place].count += 1
    } else {
      lost.append((loss, 1))
    }
  }

  /// The index of the first PDU that does not start before an instant.
  private static func first(_ air: [AirPDU], from start: SimInstant) -> Int {
    var (low, high) = (0, air.count)
    while low < high {
      let middle = (low + high) / 2
      if air[middle].start < start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  var lostCount: Int { lost.reduce(0) { $0 + $1.count } }

  /// Numbers from the first to the last of them.
  var numbers: ClosedRange<Int>? {
    guard let first = pdus.first, let last = pdus.last else { return nil }
    return first + 1...last + 1
  }

  /// `34 of 61 PDUs lost: 20 to the interferer wifi-6, 9 to noise`.
  func words(_ header: TraceHeader) -> String {
    let others = elsewhere == 0 ? "" : ", their radios exchanged \(CountedNoun.text(elsewhere, "PDU")) with others"
    if pdus.isEmpty { return "no PDU between them" + others }
    if lost.isEmpty { return "\(CountedNoun.text(pdus.count, "PDU")) between them, none lost" + others }
    let causes = lost.map { "\($0.count) \($0.loss.words(header))" }
    return "\(lostCount) of \(CountedNoun.text(pdus.count, "PDU")) between them lost: " + causes.joined(separator: ", ")
  }
}
