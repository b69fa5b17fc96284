import BluetoothWire
import SimKernel

/// Sleep Clock Accuracy Update (Vol 6, Part B, 5.1.14): an end asks for the accuracy of the other one, and tells its
/// own. Only the peripheral uses what it is told, to widen its windows.
extension RadioWorld {
  private static let clockFeature: UInt64 = 1 << 26

  /// False where the peer has said that it lacks the procedure.
  func peerUpdatesClock(_ end: LinkEnd) -> Bool { end.peerFeatures.map { $0 & Self.clockFeature != 0 } ?? true }

  func receiveAccuracy(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    guard end.radio.configuration.supportsClockUpdates else { return send(.unknownRsp(opcode: pdu.opcode), end, c) }
    switch pdu {
    case .clockAccuracyReq(let accuracy):
      learn(accuracy, end, c)
      send(.clockAccuracyRsp(end.radio.clockAccuracyCode), end, c)
    case .clockAccuracyRsp(let accuracy):
      guard case .clockAccuracy(let isForHost)? = end.procedure else { return }
      learn(accuracy, end, c)
      if isForHost { reportAccuracy(end, status: .success, accuracy & 7) }
      finishProcedure(end, c)
    default: break
    }
  }

  /// SCA has three bits, the others are reserved.
  private func learn(_ accuracy: UInt8, _ end: LinkEnd, _ c: Connection) {
    if end.role == .peripheral { c.centralClockAccuracy = accuracy & 7 }
    c.claimClocks()
  }

  func reportAccuracy(_ end: LinkEnd, status: HCI.ErrorCode, _ accuracy: UInt8) {
    end.radio.controller.emit(.link(.leRequestPeerSCAComplete(end.handle, status: status, accuracy: accuracy)))
  }

  /// A controller claims another accuracy from now on. Its peers are told where it may widen their windows.
  func tellClocks(of radio: Radio) {
    for c in radio.links {
      if c.isParked { unpark(c) }
      let end = c.end(at: radio)
      if end.role == .peripheral { c.claimClocks() }
      guard peerUpdatesClock(end), end.procedures.count < Controller.maximumProcedures else { continue }
      start(.clockAccuracy(isForHost: false), end, c)
    }
  }
}
