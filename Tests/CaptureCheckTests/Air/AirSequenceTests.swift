import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

/// Sequence numbers by the rules of Vol 6, Part B, 4.5.9, with hand-made PDUs; channels by the sample data of Vol 6,
/// Part C, 3 are tested with the codec.
@Suite("Sequence numbers on the air")
struct AirSequenceTests {
  @Test("A repeat is one, until the sender has read its acknowledgement")
  func repeats() {
    var sequence = AirSequence()
    sequence.begin()
    equal(sequence.hear(sn: false, contents: 1, knowsAcknowledgement: false), .fresh)
    equal(sequence.hear(sn: false, contents: 1, knowsAcknowledgement: true), .repeat)
    equal(sequence.acknowledge(nesn: true), false)
    equal(sequence.hear(sn: false, contents: 1, knowsAcknowledgement: false), .repeat)
    equal(sequence.hear(sn: true, contents: 1, knowsAcknowledgement: true), .fresh)
    equal(sequence.acknowledge(nesn: true), false)
    equal(sequence.hear(sn: true, contents: 1, knowsAcknowledgement: true), .repeat)
  }

  @Test("An acknowledgement of what was never heard, other contents, and a repeat too many show missed PDUs")
  func missed() {
    var sequence = AirSequence()
    sequence.begin()
    // The other side has SN 0, and nobody heard it.
    equal(sequence.acknowledge(nesn: false), false)
    equal(sequence.acknowledge(nesn: true), true)
    // It comes again, and is heard this time.
    equal(sequence.hear(sn: false, contents: 7, knowsAcknowledgement: false), .late)
    equal(sequence.hear(sn: false, contents: 8, knowsAcknowledgement: false), .freshAfterMissed)
    equal(sequence.acknowledge(nesn: true), false)
    equal(sequence.hear(sn: false, contents: 8, knowsAcknowledgement: true), .freshAfterMissed)
    equal(sequence.acknowledge(nesn: true), false)
    equal(sequence.acknowledge(nesn: false), true)
  }

  @Test("What was acknowledged before it was heard is not fresh twice")
  func heardLate() {
    var sequence = AirSequence()
    sequence.begin()
    equal(sequence.acknowledge(nesn: false), false)
    equal(sequence.acknowledge(nesn: true), true)
    equal(sequence.hear(sn: false, contents: 7, knowsAcknowledgement: false), .late)
    equal(sequence.hear(sn: false, contents: 7, knowsAcknowledgement: true), .repeat)
    // The sender has gone on to SN 1 and come back to SN 0.
    equal(sequence.acknowledge(nesn: true), false)
    equal(sequence.acknowledge(nesn: false), true)
    equal(sequence.acknowledge(nesn: true), true)
    equal(sequence.hear(sn: false, contents: 9, knowsAcknowledgement: true), .freshAfterMissed)
  }

  @Test("The first PDU of a connection that is known from its start has SN 0")
  func first() {
    var sequence = AirSequence()
    sequence.begin()
    equal(sequence.hear(sn: true, contents: 1, knowsAcknowledgement: false), .freshAfterMissed)
    sequence.forget()
    equal(sequence.hear(sn: true, contents: 1, knowsAcknowledgement: false), .fresh)
  }

  @Test("What was acknowledged before the file begins is a repeat, unless its sender has read so")
  func before() {
    var sequence = AirSequence()
    equal(sequence.acknowledge(nesn: false), false)
    equal(sequence.hear(sn: true, contents: 1, knowsAcknowledgement: false), .repeat)
    equal(sequence.hear(sn: true, contents: 1, knowsAcknowledgement: false), .repeat)
    equal(sequence.hear(sn: false, contents: 2, knowsAcknowledgement: true), .fresh)
    sequence.forget()
    equal(sequence.acknowledge(nesn: false), false)
    equal(sequence.hear(sn: true, contents: 1, knowsAcknowledgement: true), .fresh)
    sequence.forget()
    equal(sequence.acknowledge(nesn: false), false)
    equal(sequence.hear(sn: false, contents: 1, knowsAcknowledgement: false), .fresh)
  }

  @Test("Without a known interval, a peripheral that is heard alone may have said two PDUs before, unheard")
  func peripheralAlone() {
    var coverage = AirCoverage()
    func hear(_ fromCentral: Bool, at microseconds: Int64, _ spacing: AirClock.Spacing, closes: Bool = false)
      -> AirCoverage.Lack
    {
      coverage.hear(
        isIntact: true, length: 2, fromCentral: fromCentral, at: microseconds * 1_000, spacing, idle: 10_000_000,
        step: nil, closesBefore: closes, isLate: false, isLE2M: false
      ).lack
    }
    equal(hear(true, at: 0, .apart), .nothing)
    equal(hear(false, at: 230, .answer), .nothing)
    equal(hear(true, at: 15_000, .apart, closes: true), .end)
    equal(hear(false, at: 30_230, .apart), .pdus)
    equal(hear(false, at: 45_230, .apart, closes: true), .end)
    equal(hear(false, at: 75_230, .apart), .event)
  }

  @Test("SN, NESN and MD are no contents; LLID, length and payload are")
  func contents() {
    let pdu: [UInt8] = [0x02, 3, 1, 2, 3]
    equal(AirSequence.contents(pdu[...]), AirSequence.contents([0x1E, 3, 1, 2, 3]))
    for other: [UInt8] in [[0x01, 3, 1, 2, 3], [0x02, 3, 1, 2, 4], [0x02, 2, 1, 2]] {
      expect(AirSequence.contents(pdu[...]) != AirSequence.contents(other[...]))
    }
  }

  @Test(
    "The CRC run backwards gives the CRC initialisation value",
    arguments: [0x555555, 0x2ED45D, 0, 0xFFFFFF] as [UInt32])
  func crc(initial: UInt32) {
    for pdu: [UInt8] in [[1, 0], [2, 7, 3, 0, 4, 0, 2, 5, 2], Array(0...255)] {
      let crc = LL.crc24(pdu: pdu, initial: initial)
      equal(AirCandidates.crcInit(of: pdu[...], crc: crc), initial)
    }
  }
}
