public import BluetoothWire
import SimKernel

/// Data of isochronous streams: paths, packets, tests (Vol 4, Part E, 5.4.5, 7.8.96, 7.8.109 … 7.8.114, 7.8.116).
///
/// The only path is HCI, the only codec none (transparent).
extension Controller {
  /// Buffers for ISO data packets of the host, shared by all streams, and their size in octets. Decision.
  static let isoBuffers = 16
  static let isoBufferLength = 512
  private static let transparent: UInt64 = 3

  func executeOnStream(_ whole: HCI.Command, _ command: HCI.StreamCommand) {
    guard let handle = command.streamHandle else { return refuse(whole, .unknownCommand) }
    guard let end = stream(handle)?.1, end.isEstablished else {
      return refuse(whole, isStream(handle) ? .commandDisallowed : .unknownConnectionIdentifier)
    }
    switch command {
    case .leSetupISODataPath(let path): setPath(whole, path, end)
    case .leRemoveISODataPath(_, let directions):
      guard (1...3).contains(directions) else { return refuse(whole, .invalidParameters) }
      guard directions & 1 == 0 || end.hasInput, directions & 2 == 0 || end.hasOutput else {
        return refuse(whole, .commandDisallowed)
      }
      if directions & 1 != 0 { end.hasInput = false }
      if directions & 2 != 0 { end.hasOutput = false }
      complete(whole, little(handle))
    case .leISOTransmitTest(_, let payload):
      guard StreamTest.payloads.contains(payload) else { return refuse(whole, .invalidParameters) }
      guard !end.hasInput, end.own.burst > 0 else { return refuse(whole, .commandDisallowed) }
      end.transmitTest = payload
      complete(whole, little(handle))
    case .leISOReceiveTest(_, let payload):
      guard StreamTest.payloads.contains(payload) else { return refuse(whole, .invalidParameters) }
      guard !end.hasOutput, end.peer.burst > 0 else { return refuse(whole, .commandDisallowed) }
      end.receiveTest = StreamTest(payload: payload, longest: Int(end.peer.longestSDU))
      complete(whole, little(handle))
    case .leISOReadTestCounters:
      guard let test = end.receiveTest else { return refuse(whole, .commandDisallowed) }
      complete(whole, little(handle) + little(test.counters))
    case .leISOTestEnd:
      guard end.receiveTest != nil || end.transmitTest != nil else { return refuse(whole, .commandDisallowed) }
      let counters = end.receiveTest?.counters ?? [0, 0, 0]
      (end.receiveTest, end.transmitTest) = (nil, nil)
      complete(whole, little(handle) + little(counters))
    case .leReadISOTXSync:
      guard let newest = end.source.newest else { return refuse(whole, .commandDisallowed) }
      complete(
        whole,
        little(handle) + little(UInt16(truncatingIfNeeded: newest.number))
          + little(UInt64(clock(at: newest.anchor)), octets: 4) + little(0, octets: 3))
    case .leReadISOLinkQuality:
      complete(whole, little(handle) + little(end.quality.counters))
    default: refuse(whole, .unknownCommand)
    }
  }

  private func little(_ counters: [UInt32]) -> [UInt8] { counters.flatMap { little(UInt64($0), octets: 4) } }

  private func setPath(_ command: HCI.Command, _ path: HCI.ISODataPath, _ end: StreamEnd) {
    let isInput = path.direction == 0
    guard path.direction <= 1, path.configuration.isEmpty || path.codec != Self.transparent else {
      return refuse(command, .invalidParameters)
    }
    // Coding format 0 is mu-law; hosts that have no codec leave the field empty.
    guard path.path == 0, path.codec == Self.transparent || path.codec == 0 else {
      return refuse(command, .unsupportedFeature)
    }
    guard !(isInput ? end.hasInput : end.hasOutput), isInput ? end.transmitTest == nil : end.receiveTest == nil else {
      return refuse(command, .commandDisallowed)
    }
    if isInput { end.hasInput = true } else { end.hasOutput = true }
    complete(command, little(end.handle))
  }

  /// An ISO data packet of the host. One beyond the buffers is dropped and told as a hardware error, as for ACL data;
  /// one of a stream that is gone, or without an input path, is dropped.
  public func submit(_ data: consuming HCI.ISOData) {
    if wantsHCI { world.observer?.observe(.isoToController(data), device: device) }
    guard let (_, end) = stream(data.handle), !end.isTerminating else { return }
    guard isoInUse < Self.isoBuffers, data.octets.count <= Self.isoBufferLength else {
      return emit(.hardwareError(0x01))
    }
    isoInUse += 1
    let dropped = end.hasInput && end.own.burst > 0 ? end.source.take(data, at: world.timeline.now) : 1
    if dropped > 0 { isoCompleted(dropped, of: end) }
  }

  func isoCompleted(_ packets: Int, of end: StreamEnd) {
    isoInUse -= packets
    assert(isoInUse >= 0, "no more buffers become free than were in use")
    emit(.numberOfCompletedPackets([HCI.CompletedPackets(handle: end.handle, count: UInt16(clamping: packets))]))
  }

  /// An SDU has come, or has not come.
  func deliver(_ sdu: ReceivedSDU, at end: StreamEnd, of s: IsochronousStream) {
    if end.receiveTest != nil { end.receiveTest?.take(sdu, isFramed: s.shape.isFramed) }
    guard end.hasOutput else { return }
    let head = HCI.ISOData.Head(
      timeStamp: clock(at: reference(of: sdu, at: end, of: s)), sequenceNumber: UInt16(truncatingIfNeeded: sdu.number),
      sduLength: UInt16(clamping: sdu.octets.count), status: sdu.status.rawValue)
    deliver(HCI.ISOData(handle: end.handle, boundary: .complete, head: head, octets: sdu.octets))
  }

  /// SDU synchronization reference (Vol 6, Part G, 3.1).
  private func reference(of sdu: ReceivedSDU, at end: StreamEnd, of s: IsochronousStream) -> SimInstant {
    let interval = Int64(s.shape.intervalTime)
    let sduInterval = Int64(end.peer.sduInterval)
    let sdus = Int64(end.peer.sdusPerEvent(interval: s.shape.intervalTime))
    var span = Int64(s.indication.streamSyncDelay)
    if s.shape.isFramed {
      span -= Int64(sdu.timeOffset)
      span +=
        end.role == .peripheral
        ? sduInterval + Int64(end.peer.flushTimeout) * interval : -Int64(s.indication.groupSyncDelay)
    } else {
      let place = Int64(sdu.number % UInt64(sdus))
      span +=
        end.role == .peripheral
        ? Int64(end.peer.flushTimeout - 1) * interval
        : -Int64(s.indication.groupSyncDelay) - (sdus - 1) * sduInterval
      span += place * sduInterval
    }
    return s.anchor(of: sdu.payload, end.peer) + .microseconds(span)
  }

  /// Microseconds of the controller's own clock.
  private func clock(at instant: SimInstant) -> UInt32 {
    UInt32(truncatingIfNeeded: radio.ownTime(instant - .zero).nanoseconds / 1_000)
  }
}
