import BluetoothWire
import Conformance
import Foundation
import HCIPorts
import Judging

/// Lays out what this machine has for real traffic.
enum AdapterPrinter {
  /// A line for each adapter; empty without one.
  static func table(_ adapters: [Adapter]) -> String {
    if adapters.isEmpty { return "" }
    var rows = [["adapter", "address", "state", "bus", "driver", "manufacturer", "name"]]
    for adapter in adapters {
      rows.append([
        "hci\(adapter.index)", adapter.address, ([adapter.state] + adapter.activities).joined(separator: ", "),
        adapter.bus, adapter.driver ?? "–", manufacturer(adapter), adapter.name.isEmpty ? "–" : adapter.name,
      ])
    }
    let text = ConsoleTable.table(rows, rightAligned: [])
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// What its own descriptor says, else the company's number as Bluetooth SIG assigns them.
  private static func manufacturer(_ adapter: Adapter) -> String {
    adapter.maker
      ?? adapter.manufacturer.map { "company " + hexNumber($0, digits: 4) } ?? "–"
  }

  private struct Document: Encodable {
    struct Entry: Encodable {
      var index: Int
      var address: String
      var name: String
      var state: String
      var activities: [String]
      var bus: String
      var driver: String?
      var manufacturer: UInt16?
      var maker: String?
      var hciVersion: UInt8?
    }
    var adapters: [Entry]
    var problems: [String]
    var libpcap: String?
  }

  static func json(_ survey: AdapterSurvey) -> String {
    let entries = survey.adapters.map {
      Document.Entry(
        index: $0.index, address: $0.address, name: $0.name, state: $0.state, activities: $0.activities, bus: $0.bus,
        driver: $0.driver, manufacturer: $0.manufacturer, maker: $0.maker, hciVersion: $0.hciVersion)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(adapters: entries, problems: survey.problems, libpcap: survey.libpcap)
    guard let octets = try? encoder.encode(document) else { return "" }
    return String(decoding: octets, as: UTF8.self)
  }
}
