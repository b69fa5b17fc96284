import AppSeam
import BluetoothWire

/// Reading inputs, in the notation of Docs/Formats/app-seam.md.
extension LineMembers {
  /// What the platform tells; nil: the line is of the network beside the radio, which the phone does not have.
  func input() throws(ProgramEnd) -> AppInput? {
    let name = try text("name")
    switch name {
    case "launched": return .launched
    case "radioPower": return .radioPower(try flag("on"))
    case "background": return .background(try flag("suspended"))
    case "advertisingStarted": return .advertisingStarted(try flag("started"))
    case "discovered":
      return .discovered(
        Advertisement(
          address: try address(), localName: has("localName") ? try text("localName") : nil,
          serviceUUIDs: try uuids("services"), rssi: try int("rssi")))
    case "connectFailed": return .connectFailed(try address(), reason: HCI.ErrorCode(try octet("reason")))
    case "timer": return .timer(TimerID(try int("timer")))
    default:
      if name.hasPrefix("net.") { return nil }
      if let input = try linkInput(name) { return input }
      throw .notInProtocol("name: \"\(name)\" is no input")
    }
  }

  private func linkInput(_ name: String) throws(ProgramEnd) -> AppInput? {
    switch name {
    case "connected": return .connected(try link(), peer: try address())
    case "disconnected": return .disconnected(try link(), reason: HCI.ErrorCode(try octet("reason")))
    case "attMTU": return .attMTU(try link(), try int("attMTU"))
    case "servicesDiscovered":
      return .servicesDiscovered(try link(), service: try uuid("service"), characteristics: try characteristics())
    case "subscribed": return .subscribed(try link(), characteristic: try uuid("characteristic"), try flag("on"))
    case "valueReceived":
      return .valueReceived(try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    case "valueRead":
      let octets = has("octets") ? try octets("octets") : nil
      return .valueRead(try link(), characteristic: try uuid("characteristic"), octets: octets)
    case "submitted":
      return .submitted(try link(), characteristic: try uuid("characteristic"), accepted: try flag("accepted"))
    case "readyToSend": return .readyToSend(try link())
    case "writeCompleted":
      let error = has("error") ? try octet("error") : nil
      return .writeCompleted(try link(), characteristic: try uuid("characteristic"), error: error)
    default: return nil
    }
  }
}
