public import BluetoothWire
import SimKernel

extension HostStack {
  /// How long a request or an indication may stay unanswered (Vol 3, Part F, 3.3.3).
  static let transactionTimeout = SimDuration.seconds(30)

  /// Takes an L2CAP frame of the attribute channel, header included.
  func receiveATT(_ link: Link, _ frame: [UInt8]) {
    if link.isBearerClosed { return }
    guard frame.count > L2CAP.headerLength else { return violation(link, "empty ATT PDU") }
    if frame.count - L2CAP.headerLength > link.mtu { return receiveOversized(link, frame) }
    let opcode = ATT.Opcode(rawValue: frame[L2CAP.headerLength])
    switch opcode.kind {
    case .notification:
      if opcode == .handleValueNotification { return receiveNotification(link, frame) }
      violation(link, "Multiple Handle Value Notification, which this client never enabled")
    case .command:
      // Without a signing key no signature can be right, so a signed command is ignored (3.4.5.4).
      if opcode == .writeCommand { receiveWriteCommand(link, frame) }
    case .request: serve(link, frame)
    case .response: receiveResponse(link, frame)
    case .indication: receiveIndication(link, frame)
    case .confirmation: receiveConfirmation(link, frame)
    case .unknownCommand, .unknown: receiveUnknown(link, opcode)
    }
  }

  private func receiveUnknown(_ link: Link, _ opcode: ATT.Opcode) {
    violation(link, "unknown ATT opcode 0x\(String(opcode.rawValue, radix: 16))")
    if opcode.kind == .unknown { sendError(link, opcode, 0, .requestNotSupported) }
  }

  /// A PDU longer than the ATT_MTU: requests are refused, the rest is dropped without leaving the peer waiting.
  private func receiveOversized(_ link: Link, _ frame: [UInt8]) {
    let opcode = ATT.Opcode(rawValue: frame[L2CAP.headerLength])
    violation(link, "ATT PDU of \(frame.count - L2CAP.headerLength) octets exceeds ATT_MTU \(link.mtu)")
    switch opcode.kind {
    case .indication: sendPDU(link, .handleValueConfirmation, .other)
    case .request: sendError(link, opcode, 0, .invalidPDU)
    case .unknown: sendError(link, opcode, 0, .requestNotSupported)
    case .response:
      if let request = link.client.request, opcode.rawValue == request.rawValue + 1 {
        requestFinished(link)
        proceed(link, .failure(.invalidPDU))
      }
    case .command, .notification, .confirmation, .unknownCommand: break
    }
  }

  /// An L2CAP frame around a PDU, in one array.
  func sendPDU(_ link: Link, _ pdu: ATT.PDU, _ kind: TransmitQueue.Kind) {
    var frame: [UInt8] = []
    frame.reserveCapacity(L2CAP.headerLength + link.mtu)
    frame.append(contentsOf: [0, 0, 4, 0])
    pdu.append(to: &frame)
    let length = frame.count - L2CAP.headerLength
    frame[0] = UInt8(truncatingIfNeeded: length)
    frame[1] = UInt8(truncatingIfNeeded: length >> 8)
    send(link, frame, kind)
  }

  func sendError(_ link: Link, _ request: ATT.Opcode, _ handle: ATT.Handle, _ code: ATT.ErrorCode) {
    sendPDU(link, .errorResponse(request: request, handle: handle, code: code), .response)
  }

  /// Notification, indication or write command: L2CAP header, opcode, handle and value in one allocation.
  static func valueFrame(_ opcode: ATT.Opcode, _ handle: ATT.Handle, _ value: [UInt8], _ length: Int) -> [UInt8] {
    let headers = L2CAP.headerLength + ATT.valueHeaderLength
    // An array of a buffer is allocated in half the time of one that is made to be filled.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: headers + length) { frame in
      let payload = ATT.valueHeaderLength + length
      frame[0] = UInt8(truncatingIfNeeded: payload)
      frame[1] = UInt8(truncatingIfNeeded: payload >> 8)
      frame[2] = 4
      frame[3] = 0
      frame[4] = opcode.rawValue
      frame[5] = UInt8(truncatingIfNeeded: handle)
      frame[6] = UInt8(truncatingIfNeeded: handle >> 8)
      value.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(frame)[headers...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<length]))
      }
      return Array(frame)
    }
  }

  /// Sends a notification, an indication or a write command when there is room; false sends nothing.
  func sendValue(
    _ link: Link, _ opcode: ATT.Opcode, _ handle: ATT.Handle, _ characteristic: BluetoothUUID, _ value: [UInt8]
  ) -> Bool {
    let length = min(value.count, link.mtu - ATT.valueHeaderLength)
    let total = L2CAP.headerLength + ATT.valueHeaderLength + length
    guard hasRoom(link, length: total) else {
      link.refusedLength = total
      hasRefused = true
      return false
    }
    if length < value.count {
      emit(.valueTruncated(link.handle, characteristic: characteristic, offered: value.count, sent: length))
    }
    send(link, Self.valueFrame(opcode, handle, value, length), .value)
    return true
  }

  func transactionTimedOut(_ link: Link) {
    link.isBearerClosed = true
    link.requestDeadline = .distantFuture
    link.indicationDeadline = .distantFuture
    link.indication = nil
    link.refusedLength = 0
    isDeadlineCacheStale = true
    emit(.transactionTimeout(link.handle))
    failAllProcedures(link)
    isDone(link)
  }

  /// The ATT_MTU that holds on a link, or nil when there is no such link.
  public func attMTU(_ handle: HCI.ConnectionHandle) -> Int? { link(handle)?.mtu }
}
