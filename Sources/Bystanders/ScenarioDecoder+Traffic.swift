import AppSeam
import Bench
import SimKernel
import VirtualRadio

/// What raw traffic adds to the keys of scenario files.
extension KeyTable {
  static let flowID = "flow"

  static let flow = KeyTable(
    id: flowID, title: "a flow of “traffic”",
    keys: [
      Key("from", .text, "the devices that send, centrals or peripherals", isRequired: true),
      Key("to", .text, "the devices at the other ends of their links", isRequired: true),
      Key("octets", .integer(1, 512), "of a value; default 20"),
      Key("every", .duration, "a value each time; what the queue has no room for is not sent"),
      Key("saturating", .boolean, "yes: the next value as soon as the queue takes it"),
      Key(
        "by", .word(carriers), "from a central: write command (default) or write; from a peripheral: notification"),
      Key("count", .integer(1, 1_000_000_000), "values after which it ends; default without end"),
    ])

  static let carriers = ["notification", "write command", "write"]
}

extension ScenarioDecoder {
  /// The value of `traffic`: a list of flows, each for every pair of a sender and a receiver.
  func traffic(_ tree: YAMLTree) -> Traffic {
    var traffic = Traffic()
    for item in items(tree, "“traffic”") ?? [] {
      traffic.flows += flows(item)
      guard traffic.flows.count <= Traffic.limit else {
        note(item.location, "more than \(Traffic.limit) flows; write fewer, or smaller groups")
        break
      }
    }
    return traffic
  }

  private func flows(_ tree: YAMLTree) -> [Traffic.Flow] {
    guard let fields = fields(tree, .flow) else { return [] }
    let senders = ends("from", fields)
    let receivers = ends("to", fields)
    var flow = Traffic.Flow.empty
    if let tree = fields["octets"], let value = integer(tree, "“octets”", 1...512) { flow.octets = value }
    if let tree = fields["count"], let value = integer(tree, "“count”", 1...1_000_000_000) { flow.limit = value }
    if let tree = fields["every"], let value = duration(tree, "“every”", least: .microseconds(1)) {
      flow.pause = value.nanoseconds
    }
    if let tree = fields["saturating"], let value = boolean(tree, "“saturating”") { flow.isSaturating = value }
    if flow.isSaturating, flow.pause > 0 {
      note(fields.keyLocation("saturating"), "a flow has “every” or “saturating: yes”, not both; write one of them")
    }
    if !flow.isActive {
      for key in ["octets", "by", "count"] where fields[key] != nil {
        note(fields.keyLocation(key), "a flow without “every” and “saturating” sends nothing; write one of them")
      }
    }
    let carrier = fields["by"].flatMap { choice($0, "“by”", from: KeyTable.carriers) }
    flow.isAnswered = carrier == "write"
    var flows: [Traffic.Flow] = []
    for from in senders {
      for to in receivers {
        guard isLink(from, to, fields) else { return flows }
        flow.from = from
        flow.to = to
        flow.isFromCentral = devices[from].role == .central
        if let carrier, (carrier == "notification") == flow.isFromCentral {
          note(
            fields.keyLocation("by"),
            "a \(devices[from].role) does not send by \(carrier); "
              + (flow.isFromCentral ? "write “write command” or “write”" : "write “notification”, or leave “by” out"))
          return flows
        }
        guard fits(flow, fields) else { return flows }
        flows.append(flow)
      }
    }
    return flows
  }

  private func ends(_ key: String, _ fields: Fields) -> [Int] {
    guard let tree = required(key, fields, .flow), let phrase = text(tree, "“\(key)”") else { return [] }
    return selection(phrase, at: tree.location) ?? []
  }

  /// Whether the two ends make a link: the one a central, the other a peripheral, both with the app for it.
  private func isLink(_ from: Int, _ to: Int, _ fields: Fields) -> Bool {
    let roles = [from, to].map { devices[$0].app == BystanderApp.word ? devices[$0].role : nil }
    if roles == [.central, .peripheral] || roles == [.peripheral, .central] { return true }
    note(
      fields.keyLocation("to"),
      "a flow goes between a central and a peripheral; give \(devices[from].name) and \(devices[to].name) "
        + "“protocol: \(BystanderApp.word)”, and the one “role: central”, the other “role: peripheral”")
    return false
  }

  /// Whether a value fits the ATT_MTU of the two phones: three octets of it are opcode and handle (Vol 3, Part F,
  /// 3.4.5, 3.4.7.1).
  private func fits(_ flow: Traffic.Flow, _ fields: Fields) -> Bool {
    let central = devices[flow.isFromCentral ? flow.from : flow.to].phone.att
    let peripheral = devices[flow.isFromCentral ? flow.to : flow.from].phone.att
    let exchanges = central.exchangesAutomatically || central.appMayExchange
    let most = (exchanges ? min(central.clientMTU, peripheral.serverMTU) : 23) - 3
    if flow.octets <= most { return true }
    note(
      fields.keyLocation("octets"),
      "a value between \(devices[flow.from].name) and \(devices[flow.to].name) has at most \(most) octets, three less "
        + "than their ATT_MTU; write fewer, or a larger “att mtu” of both phones")
    return false
  }
}
