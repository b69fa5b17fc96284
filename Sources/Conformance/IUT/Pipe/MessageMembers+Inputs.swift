import Bench
import AppSeam
import BluetoothWire
import SimKernel

/// Reading inputs, in the notation of Docs/Formats/app-seam.md: what our own program does at its end of the pipe.
extension MessageMembers {
  /// The text of an address does not say its type. Peers of the bench have random static addresses, and it takes an
  /// address back by its 48 bits.
  private func address(_ name: String) throws(MessageProblem) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: try addressBits(name))
  }

  /// - Parameter app: the protocol that the program speaks.
  func input(of app: any SimulatedApp) throws(MessageProblem) -> AppInput {
    let name = try text("name")
    switch name {
    case "launched": return .launched
    case "radioPower": return .radioPower(try boolean("on"))
    case "background": return .background(try boolean("suspended"))
    case "advertisingStarted": return .advertisingStarted(try boolean("started"))
    case "discovered":
      return .discovered(
        Advertisement(
          address: try address("address"), localName: try optionalText("localName"),
          serviceUUIDs: try uuids("services"), rssi: try int("rssi")))
    case "connectFailed": return .connectFailed(try address("address"), reason: .init(try octet("reason")))
    case "timer": return .timer(TimerID(try int("timer")))
    case "user": return .user(try userAction(app))
    default:
      if let input = try linkInput(name) { return input }
      if let input = try networkInput(name) { return .network(input) }
      if let input = try typedWord(name, among: GATTInput.self, of: app, isAction: false) { return .gatt(input) }
      if let input = try typedWord(name, among: GAPInput.self, of: app, isAction: false) { return .gap(input) }
      if let input = try typedWord(name, among: ChannelInput.self, of: app, isAction: false) { return .channel(input) }
      throw MessageProblem(place: "name", reason: "\"\(name)\" is no input")
    }
  }

  private func linkInput(_ name: String) throws(MessageProblem) -> AppInput? {
    switch name {
    case "connected": return .connected(try link(), peer: try address("address"))
    case "disconnected": return .disconnected(try link(), reason: .init(try octet("reason")))
    case "attMTU": return .attMTU(try link(), try int("attMTU"))
    case "servicesDiscovered":
      return .servicesDiscovered(try link(), service: try uuid("service"), characteristics: try characteristics())
    case "subscribed":
      return .subscribed(try link(), characteristic: try uuid("characteristic"), try boolean("on"))
    case "valueReceived":
      return .valueReceived(try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    case "valueRead":
      let value = optional("octets") == nil ? nil : try octets("octets")
      return .valueRead(try link(), characteristic: try uuid("characteristic"), octets: value)
    case "submitted":
      return .submitted(try link(), characteristic: try uuid("characteristic"), accepted: try boolean("accepted"))
    case "readyToSend": return .readyToSend(try link())
    case "writeCompleted":
      let error = optional("error") == nil ? nil : try octet("error")
      return .writeCompleted(try link(), characteristic: try uuid("characteristic"), error: error)
    default: return nil
    }
  }

  private func userAction(_ app: any SimulatedApp) throws(MessageProblem) -> AppAction {
    let action = try text("action")
    guard let statement = try word(action, among: app.actions, of: app, isAction: true) else {
      let near = Suggestion.question(for: action, in: app.actions.names).map { "; " + $0 } ?? ""
      throw MessageProblem(place: "action", reason: "\"\(action)\" is no action of a user\(near)")
    }
    return AppAction(erased: statement)
  }
}
