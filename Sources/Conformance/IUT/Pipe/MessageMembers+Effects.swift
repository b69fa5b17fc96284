package import AppSeam
package import Bench
package import BluetoothWire
import SimKernel

/// Reading effects and reports, in the notation of Docs/Formats/app-seam.md.
extension MessageMembers {
  func characteristics() throws(MessageProblem) -> [ServiceDefinition.Characteristic] {
    try objects("characteristics") { (members) throws(MessageProblem) in
      ServiceDefinition.Characteristic(
        uuid: try members.uuid("uuid"), properties: .init(rawValue: try members.octet("properties")),
        instance: members.optional("instance") == nil ? 0 : try members.int("instance", 0...65_534))
    }
  }

  /// - Parameters:
  ///   - app: the protocol that the program speaks.
  ///   - address: the address that a text stands for.
  package func effect(
    of app: any SimulatedApp, address: (UInt64) -> BluetoothAddress
  ) throws(MessageProblem) -> AppEffect {
    let name = try text("name")
    switch name {
    case "publish":
      return .publish(ServiceDefinition(uuid: try uuid("service"), characteristics: try characteristics()))
    case "advertise":
      return .advertise(
        AdvertisementRequest(localName: try text("localName"), serviceUUIDs: try uuids("services")))
    case "stopAdvertising": return .stopAdvertising
    case "scan": return .scan(services: try uuids("services"))
    case "stopScanning": return .stopScanning
    case "connect": return .connect(address(try addressBits("address")))
    case "cancelConnect": return .cancelConnect(address(try addressBits("address")))
    case "setTimer":
      return .setTimer(TimerID(try int("timer")), at: SimInstant(nanoseconds: try integer("at")))
    case "cancelTimer": return .cancelTimer(TimerID(try int("timer")))
    case "keep": return .keep(try octets("octets"))
    case "keepMore": return .keepMore(try octets("octets"))
    case "setValue": return .setValue(characteristic: try uuid("characteristic"), octets: try octets("octets"))
    default: break
    }
    if let effect = try linkEffect(name) { return effect }
    if let effect = try networkEffect(name) { return .network(effect) }
    if let effect = try typedWord(name, among: GATTEffect.self, of: app, isAction: false) { return .gatt(effect) }
    if let effect = try typedWord(name, among: GAPEffect.self, of: app, isAction: false) { return .gap(effect) }
    if let effect = try typedWord(name, among: ChannelEffect.self, of: app, isAction: false) { return .channel(effect) }
    if let report = try word(name, among: app.reports, of: app) { return .report(AppReport(erased: report)) }
    if let call = try typedWord(name, among: CallWord.self, of: app, isAction: false) {
      return .report(AppReport(call))
    }
    let typed = GATTEffect.names + GAPEffect.names + ChannelEffect.names
    let names = Self.effectNames + Self.networkEffectNames + typed + app.reports.names
    let near = Suggestion.question(for: name, in: names).map { "; " + $0 } ?? ""
    throw MessageProblem(place: "name", reason: "\"\(name)\" is no effect or report\(near)")
  }

  private func linkEffect(_ name: String) throws(MessageProblem) -> AppEffect? {
    switch name {
    case "disconnect": return .disconnect(try link())
    case "exchangeMTU": return .exchangeMTU(try link(), try int("attMTU", 0...65_535))
    case "discover": return .discover(try link(), service: try uuid("service"))
    case "subscribe":
      return .subscribe(try link(), characteristic: try uuid("characteristic"), try boolean("on"))
    case "read": return .read(try link(), characteristic: try uuid("characteristic"))
    case "write":
      return .write(try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    case "writeWithoutResponse":
      return .writeWithoutResponse(
        try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    case "notify":
      return .notify(try link(), characteristic: try uuid("characteristic"), octets: try octets("octets"))
    default: return nil
    }
  }

  /// Every name that an effect may have which is no report and not of the network.
  static let effectNames = [
    "publish", "advertise", "stopAdvertising", "scan", "stopScanning", "connect", "cancelConnect", "setTimer",
    "cancelTimer", "setValue", "disconnect", "exchangeMTU", "discover", "subscribe", "read", "write",
    "writeWithoutResponse", "notify", "keep", "keepMore",
  ]
}
