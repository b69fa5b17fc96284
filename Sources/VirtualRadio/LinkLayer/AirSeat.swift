import BluetoothWire
import SimKernel

/// A program from outside that is the link layer of one of our radios: what it wants to hear, what it sends, and who
/// waits for something of it (ADR 0044).
final class AirSeat {
  /// How many PDUs and answers may wait.
  static let maximumSendings = 1_024
  static let maximumRules = 64

  unowned(unsafe) let radio: Radio
  /// A program is there.
  var isTaken = false
  var filter = AirFilter()
  var rules: [AirRule] = []
  /// What waits for its instant, or is on the air.
  var sendings: [AirSending] = []
  /// Those that answer a PDU of the program, while they do.
  var answers: [AirAnswer] = []
  /// Those that listen for the next PDU of the program.
  var waiters: [AirWaiter] = []
  /// Links that the program is an end of.
  var links: [Connection] = []
  /// Trains of the program that somebody follows.
  var trains: [PeriodicTrain] = []
  /// How many programs have left.
  private(set) var session = 0
  private var serial: UInt64 = 0
  private let outbox = Fifo<[UInt8]>()
  private let waiting: Fifo<Int>
  private var isAnnounced = false

  init(radio: Radio, waiting: Fifo<Int>) {
    self.radio = radio
    self.waiting = waiting
  }

  func newSerial() -> UInt64 {
    serial += 1
    return serial
  }

  /// Tells the program, if there is one.
  func tell(_ message: AirMessage) {
    guard isTaken else { return }
    outbox.append(message.encoded)
    guard !isAnnounced else { return }
    isAnnounced = true
    waiting.append(radio.index)
  }

  /// Tells the program that has sent a PDU, if it is still there.
  func tell(_ status: AirStatus, of sending: AirSending, duration: SimDuration) {
    guard sending.session == session else { return }
    tell(.done(tag: sending.tag, status, start: sending.start, duration: duration))
  }

  /// The next message for the program.
  func pop() -> [UInt8]? {
    if let next = outbox.popFirst() { return next }
    isAnnounced = false
    return nil
  }

  /// The program has left.
  func forget() {
    isTaken = false
    session += 1
    filter = AirFilter()
    rules.removeAll()
    while outbox.popFirst() != nil {}
  }
}

/// An answer that is sent T_IFS after the next PDU that fits.
struct AirRule {
  var tag: UInt16
  var pattern: AirPattern
  var packet: AirPacket
}

/// A PDU of a program.
final class AirSending {
  /// Who takes it at its end.
  enum Part {
    /// Nobody; or who hears an advertising PDU, which shows at its end.
    case alone
    /// An advertiser that listens for answers.
    case answer
    /// Those that listen for it because of an earlier PDU of the program.
    case awaited([AirWaiter])
    /// The other end of a link.
    case link(Connection)
    /// Those that follow a train.
    case train(PeriodicTrain)
  }

  let serial: UInt64
  /// That of the seat when the PDU was planned.
  let session: Int
  let tag: UInt16
  let packet: AirPacket
  let start: SimInstant
  let end: SimInstant
  /// What the PDU says as one of an advertiser.
  let set: Advertiser
  var part = Part.alone
  var handle: EventHandle?
  /// It is on the air.
  var hasBegun = false

  init(
    serial: UInt64, session: Int, tag: UInt16, packet: AirPacket, phy: LL.AirPHY, start: SimInstant, radio: Radio
  ) {
    (self.serial, self.session, self.tag) = (serial, session, tag)
    (self.packet, self.start) = (packet, start)
    end = start + .nanoseconds(LL.airTime(payloadLength: packet.pdu.count - 2, phy: phy))
    set = Advertiser(index: 0, radio: radio, stream: radio.anchorStream)
    set.pdu = packet.pdu
    set.phy = phy
    set.channelIndex = packet.channelIndex
    set.pduStart = start
  }

  var phy: LL.AirPHY { self.set.phy }
  var channelIndex: UInt8 { packet.channelIndex }
  /// It is one of advertising.
  var isAdvertising: Bool { packet.accessAddress == LL.advertisingAccessAddress }
  /// PDU type of an advertising PDU (Vol 6, Part B, 2.3, table 2.3).
  var type: UInt8 { packet.pdu[0] & 0x0F }
}

/// What one of our devices sends in answer to a PDU of the program.
struct AirAnswer {
  var serial: UInt64
  /// The PDU that it answers.
  var set: Advertiser
  var response: Advertiser.Response
  /// Where it listens for what comes next, on the secondary channels.
  var follower: Follower?
}

/// One of our devices that listens for a PDU of the program.
struct AirWaiter {
  enum Kind { case scanResponse, auxiliary(LL.ExtendedPDU.Kind) }

  var kind: Kind
  var radio: Int
  /// The PDU of the program that it has heard.
  var set: Advertiser
  var follower: Follower?
  var request: Advertiser.Response?
  /// When the PDU may begin.
  var from: SimInstant
  var to: SimInstant
  /// The radio was free when it began.
  var listens = false

  /// It has asked, and waits for the answer.
  var hasAsked: Bool { request != nil }

  func awaits(_ sending: AirSending) -> Bool {
    guard from <= sending.start, sending.start <= to else { return false }
    if let request { return sending.phy == request.phy && sending.channelIndex == set.channelIndex && fits(sending) }
    guard let follower else { return false }
    return follower.awaits(channelIndex: sending.channelIndex, phy: sending.phy.phy, at: sending.start)
      && fits(sending)
  }

  private func fits(_ sending: AirSending) -> Bool {
    switch kind {
    case .scanResponse: sending.type == 0b0100
    case .auxiliary(.auxConnectRsp): sending.type == 0b1000
    case .auxiliary: sending.type == 0b0111
    }
  }
}
