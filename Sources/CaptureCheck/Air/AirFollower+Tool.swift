import BluetoothWire
import CaptureFormats
import SimKernel

/// What a program logs that takes part in a connection itself, as its central (`AirHeader.isFromTool`).
///
/// It knows all that it sends: nothing of the central is missing, and no sequence number is there to prove it, for the
/// radio sets those. What its radio did not hear it has not acknowledged, so that comes again; but the way from the
/// radio to the program loses PDUs. One of the peripheral that is lost shows in its sequence numbers, two in the time
/// that passes: at least three connection intervals.
extension AirFollower {
  func readTool(_ octets: ArraySlice<UInt8>, _ header: AirHeader, _ link: TrafficLink, _ air: AirConnection) {
    // Some programs call everything their own. The radio fills in sequence numbers: what has some was received, unless
    // the program tells its own from others.
    if header.isFromCentral == false {
      if !tellingFiles.contains(link.file) { tellingFiles.append(link.file) }
    } else if octets.first.map({ $0 & 0x1C != 0 }) ?? true, !tellingFiles.contains(link.file) {
      air.isToolDoubtful = true
      return readData(octets, header, link)
    }
    let pdu = Self.sent(octets)
    let duration = Self.duration(of: pdu, header)
    followUpdate(link, air, header, at: air.clock.start(of: now, duration: duration))
    air.isFirstOfEvent = air.clock.hear(time: now, duration: duration, fromCentral: header.isFromCentral, stated: nil)
    air.lastHeard = now
    applyInstants(link, air)
    output.emit(.air) { .air(link, header, octets) }
    guard header.isCRCValid != false, pdu.count >= 2 else { return }
    guard let fromCentral = header.isFromCentral else { return }
    if !fromCentral { noteSilence(link, air) }
    pass(pdu, header, link, air, fromCentral: fromCentral, untold: 0)
  }

  /// The octets that the radio sent, whatever the program gave it: as many as the header says.
  private static func sent(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard octets.count >= 2 else { return octets }
    return octets.prefix(2 + Int(octets[octets.startIndex + 1]))
  }

  /// Two PDUs of the peripheral or more may be missing in front of this one.
  private func noteSilence(_ link: TrafficLink, _ air: AirConnection) {
    let before = air.toolHeardAt ?? link.openedAt.nanoseconds
    air.toolHeardAt = now
    guard let interval = link.interval, now - before <= Int64(interval) * 1_250_000 * 9 / 4, now >= before else {
      return missOfPeripheral(link, air)
    }
  }

  private func missOfPeripheral(_ link: TrafficLink, _ air: AirConnection) {
    abandon(link, fromCentral: false)
    link.requestOfPeripheral = PendingRequest()
    if link.isUp { output.gap(link, fromCentral: false, .missed) }
  }

  /// A PDU with the same sequence number as the one before it may be the same one, or another one is missing between.
  func toolSequence(
    _ octets: ArraySlice<UInt8>, _ link: TrafficLink, _ air: AirConnection, fromCentral: Bool
  ) -> AirSequence.Arrival {
    if fromCentral { return .fresh }
    let arrival = air.peripheral.hear(
      sn: octets[octets.startIndex] & 0x08 != 0, contents: AirSequence.contents(octets), knowsAcknowledgement: false)
    if arrival != .fresh { missOfPeripheral(link, air) }
    return arrival
  }
}
