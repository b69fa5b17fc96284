import AppSeam
import Bench
import BluetoothWire
import Judging
import SimKernel

/// The words of a program without a radio: peers and whole messages (Docs/Formats/iut-protocol.md, “A library without a
/// radio”), translated to and from what `EngineGlue` tells its engine and takes from it.
struct PeerVocabulary {
  /// Every name that an effect of either role may have which is no report.
  private static let effectNames = ["send", "endPeer", "setTimer", "cancelTimer"]
  /// The glue sends by its own characteristics, whatever an effect names.
  private static let anyCharacteristic = BluetoothUUID(0)

  private let app: any SimulatedApp
  /// What this role asks for to be found, or to look.
  private let wish: String
  private let leads: Bool
  /// Whoever is connected, by when they came.
  private(set) var peers: [LinkID] = []

  init(_ hello: IUTHello) {
    app = hello.app.app
    leads = app.description(of: hello.role)?.leads ?? false
    wish = leads ? "advertise" : "search"
  }

  // MARK: Inputs

  /// Writes an input; everything that has no word here never reaches an engine with a glue.
  mutating func write(_ input: AppInput, to text: inout JSONText) {
    switch input {
    case .connected(let link, let address):
      if !peers.contains(link) { peers.append(link) }
      text.member("name", "peerConnected")
      text.member("peer", link.rawValue)
      text.member("address", address.description)
    case .disconnected(let link, let reason):
      peers.removeAll { $0 == link }
      text.member("name", "peerDisconnected")
      text.member("peer", link.rawValue)
      text.member("reason", reason.rawValue)
    case .valueReceived(let link, _, let octets):
      text.member("name", "message")
      text.member("peer", link.rawValue)
      // A peer may send what is no text at all.
      if let message = String(validating: octets, as: UTF8.self) {
        text.member("text", message)
      } else {
        text.member("octets", octets: octets)
      }
    default: text.input(input)
    }
  }

  // MARK: Effects

  /// One effect of the program; several for one that goes to all peers.
  func effects(_ members: MessageMembers) throws(MessageProblem) -> [AppEffect] {
    let name = try members.text("name")
    switch name {
    case "send":
      let octets = Array(try members.text("text").utf8)
      let receivers = members.optional("peer") == nil ? peers : [try peer(members)]
      return receivers.map { .notify($0, characteristic: Self.anyCharacteristic, octets: octets) }
    case "endPeer": return [.disconnect(try peer(members))]
    case wish:
      let isOn = try members.boolean("on")
      guard leads else { return [isOn ? .scan(services: []) : .stopScanning] }
      return [isOn ? .advertise(AdvertisementRequest(localName: "", serviceUUIDs: [])) : .stopAdvertising]
    case "setTimer", "cancelTimer": break
    default:
      guard app.reports.names.contains(name) else {
        let words = (Self.effectNames + [wish]).joined(separator: ", ")
        let near = Suggestion.question(for: name, in: Self.effectNames + [wish] + app.reports.names)
        let advice = near.map { "; " + $0 } ?? ""
        throw MessageProblem(
          place: "name",
          reason: "\"\(name)\" is no effect or report with seam messages, which has \(words) and reports\(advice)")
      }
    }
    return [try members.effect(of: app) { BluetoothAddress(kind: .random, bits: $0) }]
  }

  private func peer(_ members: MessageMembers) throws(MessageProblem) -> LinkID {
    LinkID(try members.int("peer", 0...Int64(Int32.max)))
  }
}
