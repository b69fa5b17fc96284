import BluetoothWire

/// How fragments become L2CAP frames, and what whole frames do to a link: the same above HCI and on the air.
enum ChannelFollower {
  @inline(__always)
  static func recombine(
    _ data: ArraySlice<UInt8>, isStart: Bool, _ link: TrafficLink, fromCentral: Bool, to output: TrafficOutput
  ) {
    let isOpen = fromCentral ? link.fromCentral.isOpen : link.fromPeripheral.isOpen
    // By far the most: a frame in one piece.
    if isStart, !isOpen, let channel = FrameAssembly.channel(ofWhole: data) {
      let payload = data.dropFirst(L2CAP.headerLength)
      return deliver(payload, channel, link, fromCentral: fromCentral, to: output)
    }
    let outcome: FrameAssembly.Outcome
    if isStart {
      if isOpen { output.gap(link, fromCentral: fromCentral, .frameUnfinished) }
      outcome = fromCentral ? link.fromCentral.start(data) : link.fromPeripheral.start(data)
    } else {
      outcome = fromCentral ? link.fromCentral.proceed(data) : link.fromPeripheral.proceed(data)
    }
    deliver(outcome, link, fromCentral: fromCentral, to: output)
  }

  private static func deliver(
    _ outcome: FrameAssembly.Outcome, _ link: TrafficLink, fromCentral: Bool, to output: TrafficOutput
  ) {
    switch outcome {
    case .partial: break
    case .gap(let gap): output.gap(link, fromCentral: fromCentral, gap)
    case .frame(let channel, let octets): deliver(octets, channel, link, fromCentral: fromCentral, to: output)
    }
  }

  @inline(__always)
  private static func deliver(
    _ octets: ArraySlice<UInt8>, _ channel: L2CAP.ChannelID, _ link: TrafficLink, fromCentral: Bool,
    to output: TrafficOutput
  ) {
    link.hasFrames = true
    if channel == .attribute {
      // Observers see the link as it was before this PDU took effect.
      output.emit(att: octets, link, fromCentral: fromCentral)
      follow(octets, link, fromCentral: fromCentral, output)
    } else {
      output.emit(.frames) { .frame(link, fromCentral: fromCentral, channel, octets) }
      if channel == .signalling { SignallingFollower.follow(octets, link, fromCentral: fromCentral) }
    }
  }

  /// ATT_MTU and what discovery tells. Spec: Core v5.4, Vol 3, Part F, 3.4.2 to 3.4.4.
  @inline(__always)
  private static func follow(
    _ octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, _ output: TrafficOutput
  ) {
    guard let opcode = octets.first else { return }
    // Values that come and go, by far the most, change nothing.
    if opcode > 0x11, opcode != 0x1D { return }
    followProcedure(opcode, octets, link, fromCentral: fromCentral, output)
  }

  @inline(never)
  private static func followProcedure(
    _ opcode: UInt8, _ octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, _ output: TrafficOutput
  ) {
    switch opcode {
    case 0x02, 0x04, 0x06, 0x08, 0x10:
      let pending = DiscoveryFollower.pending(octets)
      if fromCentral { link.requestOfCentral = pending } else { link.requestOfPeripheral = pending }
      if pending.opcode == 0x02 { link.clientRxMTU = pending.mtu }
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x11:
      let request = fromCentral ? link.requestOfPeripheral : link.requestOfCentral
      if opcode == 0x01, octets.count == 5, octets[octets.startIndex + 1] != request.opcode { return }
      if fromCentral { link.requestOfPeripheral.opcode = 0 } else { link.requestOfCentral.opcode = 0 }
      if opcode == 0x01, request.opcode == 0x02 { link.clientRxMTU = nil }
      if opcode == 0x03 { return exchanged(octets, request, link, output) }
      if opcode == 0x01 || request.opcode == 0 { return }
      output.servers.teach(link.attributes(ofCentral: fromCentral)) {
        DiscoveryFollower.learn(octets, to: request, $0)
      }
    case 0x1D:
      output.servers.teach(link.attributes(ofCentral: fromCentral)) { DiscoveryFollower.forgetChanged(octets, $0) }
    default: break
    }
  }

  /// A refused exchange changes nothing: ATT_MTU stays what it is, and unknown where it was unknown.
  private static func exchanged(
    _ octets: ArraySlice<UInt8>, _ request: PendingRequest, _ link: TrafficLink, _ output: TrafficOutput
  ) {
    guard octets.count == 3 else { return }
    let server = Int(OctetFields(octets).u16(1))
    link.serverRxMTU = server
    // A client asks once on a link (3.4.2.1), so what it offered before a gap is what was answered after it. Without
    // the request, which side has the smaller MTU is not known.
    guard let client = request.opcode == 0x02 ? request.mtu : link.clientRxMTU else { return }
    link.attMTU = max(ATT.defaultMTU, min(client, server))
    output.changed(link, .attMTU)
  }
}
