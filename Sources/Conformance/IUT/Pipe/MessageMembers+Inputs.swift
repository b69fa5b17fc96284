import AppSeam
import Bench
import BluetoothWire
import SimKernel

/// Reading inputs, in the notation of Docs/Formats/app-seam.md: what our own program does at its end of the pipe.
extension MessageMembers {
  /// - Parameter app: the protocol that the program speaks.
  func input(of app: any SimulatedApp) throws(MessageProblem) -> AppInput {
    let name = try text("name")
    if name == "user" { return .user(try userAction(app)) }
    if let input = try platformInput(name) { return input }
    if let input = try linkInput(name) { return input }
    if let input = try typedWord(name, among: GATTInput.self, of: app, isAction: false) { return .gatt(input) }
    if let input = try typedWord(name, among: GAPInput.self, of: app, isAction: false) { return .gap(input) }
    if let input = try typedWord(name, among: ChannelInput.self, of: app, isAction: false) { return .channel(input) }
    throw MessageProblem(place: "name", reason: "\"\(name)\" is no input")
  }

  private func linkInput(_ name: String) throws(MessageProblem) -> AppInput? {
    switch name {
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
