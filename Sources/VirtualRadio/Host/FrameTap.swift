public import BluetoothWire

/// Sees the L2CAP frames that a host stack sends, before they are cut for the controller.
public protocol FrameTap: AnyObject {
  /// Whether the tap takes a whole frame over, header included; the stack then forgets it. It must not call back.
  func takes(_ frame: [UInt8], on handle: HCI.ConnectionHandle) -> Bool
}

extension HostStack {
  /// Queues a frame that the stack knows nothing of, and that no tap sees. It may break every rule of L2CAP and ATT;
  /// without the link nothing is sent.
  public func sendPastTap(_ frame: [UInt8], on handle: HCI.ConnectionHandle) {
    guard let link = link(handle), !frame.isEmpty else { return }
    let tap = frameTap
    frameTap = nil
    send(link, frame, .response)
    frameTap = tap
  }
}
