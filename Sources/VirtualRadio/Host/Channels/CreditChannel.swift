import BluetoothWire
import SimKernel

/// One LE credit based channel of a link. Spec: Core v5.4, Vol 3, Part A, 10.1.
final class CreditChannel {
  enum Phase: Equatable {
    /// The request waits for its answer.
    case opening
    case open
    /// The disconnection request waits for its answer; nil: the owner was told how it ended.
    case closing(HostChannelEnd?)
  }

  let number: HostChannelNumber
  let psm: UInt16
  let isIncoming: Bool
  /// Our endpoint.
  let local: L2CAP.ChannelID
  /// The peer's endpoint; 0 while the channel is opening.
  var remote = L2CAP.ChannelID(rawValue: 0)
  var phase: Phase
  /// The owner closed the channel while it was opening.
  var isCloseWanted = false
  /// Identifier of the request that has no answer yet; 0 is none.
  var identifier: UInt8 = 0
  var deadline = SimInstant.distantFuture

  // What comes in
  var assembly: L2CAP.SDUAssembly
  /// Credits of a full allowance.
  let allowance: Int
  /// K-frames that the peer may still send.
  var peerCredits: Int
  /// K-frames that were taken and whose credits were not given back.
  var owedCredits = 0
  /// The owner takes nothing at present: no credits go back.
  var isHeld = false

  // What goes out
  var peerMTU = 0
  var peerMPS = 0
  /// K-frames that the peer takes.
  var credits = 0
  private var current: L2CAP.Segments?
  private let waiting = Fifo<L2CAP.Segments>()
  /// Octets that wait, SDU lengths included.
  private(set) var queuedOctets = 0
  /// Octets of SDUs that went to the link and were not reported.
  var unreported = 0

  init(
    _ number: HostChannelNumber, psm: UInt16, isIncoming: Bool, local: L2CAP.ChannelID,
    _ settings: HostChannelConfiguration
  ) {
    self.number = number
    self.psm = psm
    self.isIncoming = isIncoming
    self.local = local
    phase = isIncoming ? .open : .opening
    assembly = L2CAP.SDUAssembly(mtu: settings.allowedMTU, mps: settings.allowedMPS)
    allowance = settings.allowedCredits
    peerCredits = allowance
  }

  /// Takes what the peer said of its end.
  func open(remote: L2CAP.ChannelID, mtu: UInt16, mps: UInt16, credits: UInt16) {
    phase = .open
    self.remote = remote
    peerMTU = Int(mtu)
    peerMPS = Int(mps)
    self.credits = Int(credits)
  }

  var description: HostChannel {
    HostChannel(number: number, psm: psm, isIncoming: isIncoming, peerMTU: peerMTU, peerMPS: peerMPS)
  }

  /// A K-frame could go out.
  var isReady: Bool { phase == .open && credits > 0 && queuedOctets > 0 }

  /// Enough credits are owed that a command for them pays.
  var isCreditDue: Bool {
    phase == .open && !isHeld && owedCredits > 0 && (owedCredits * 2 >= allowance || peerCredits == 0)
  }

  func append(_ sdu: [UInt8]) {
    waiting.append(L2CAP.Segments(of: sdu, mps: min(peerMPS, Recombination.largestPayload)))
    queuedOctets += sdu.count + L2CAP.sduLengthOctets
  }

  /// The next K-frame, which takes a credit.
  /// - Precondition: `isReady`.
  func nextFrame() -> [UInt8]? {
    if current == nil { current = waiting.popFirst() }
    let before = current?.taken ?? 0
    guard let frame = current?.nextFrame(on: remote) else { return nil }
    unreported += (current?.taken ?? 0) - before
    queuedOctets -= frame.count - L2CAP.headerLength
    credits -= 1
    assert(credits >= 0 && queuedOctets >= 0, "a K-frame has waited and has a credit")
    if current?.isAtEnd == true { current = nil }
    return frame
  }

  /// Forgets what waits.
  func dropQueue() {
    current = nil
    waiting.removeAll()
    queuedOctets = 0
  }
}
