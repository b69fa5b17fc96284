import AppSeam
import BluetoothWire
import Foundation
import SimKernel

/// Writing hellos and answers, in the notation of Docs/Formats/app-seam.md.
struct AnswerLine {
  private(set) var text: String
  private var isFirst = true

  init(at now: SimInstant) { text = "{\"at\":\(now.nanoseconds),\"effects\":[" }

  /// The line, once all effects are in it.
  var octets: [UInt8] { Array((text + "]}").utf8) }

  /// The members of a report, without braces.
  mutating func report(_ json: String) { add(json) }

  mutating func effect(_ effect: AppEffect) {
    switch effect {
    case .publish(let service):
      let characteristics = service.characteristics.map {
        "{\"uuid\":\(Self.quoted($0.uuid)),\"properties\":\($0.properties.rawValue)}"
      }
      add(named("publish") + member("service", service.uuid) + list("characteristics", characteristics))
    case .advertise(let request):
      let services = request.serviceUUIDs.map(Self.quoted)
      add(named("advertise") + ",\"localName\":\(Self.quoted(request.localName))" + list("services", services))
    case .stopAdvertising: add(named("stopAdvertising"))
    case .scan(let services): add(named("scan") + list("services", services.map(Self.quoted)))
    case .stopScanning: add(named("stopScanning"))
    case .connect(let address): add(named("connect") + ",\"address\":\"\(address)\"")
    case .cancelConnect(let address): add(named("cancelConnect") + ",\"address\":\"\(address)\"")
    case .setValue(let characteristic, let octets):
      add(named("setValue") + member("characteristic", characteristic) + value(octets))
    case .setTimer(let timer, let instant):
      add(named("setTimer") + ",\"timer\":\(timer.rawValue),\"at\":\(instant.nanoseconds)")
    case .cancelTimer(let timer): add(named("cancelTimer") + ",\"timer\":\(timer.rawValue)")
    case .keep(let octets): add(named("keep") + value(octets))
    default: linkEffect(effect)
    }
  }

  private mutating func linkEffect(_ effect: AppEffect) {
    switch effect {
    case .disconnect(let link): add(named("disconnect", link))
    case .exchangeMTU(let link, let size): add(named("exchangeMTU", link) + ",\"attMTU\":\(size)")
    case .discover(let link, let service): add(named("discover", link) + member("service", service))
    case .subscribe(let link, let characteristic, let isOn):
      add(named("subscribe", link) + member("characteristic", characteristic) + ",\"on\":\(isOn)")
    case .read(let link, let characteristic): add(named("read", link) + member("characteristic", characteristic))
    case .write(let link, let characteristic, let octets):
      add(named("write", link) + member("characteristic", characteristic) + value(octets))
    case .writeWithoutResponse(let link, let characteristic, let octets):
      add(named("writeWithoutResponse", link) + member("characteristic", characteristic) + value(octets))
    case .notify(let link, let characteristic, let octets):
      add(named("notify", link) + member("characteristic", characteristic) + value(octets))
    default: break
    }
  }

  private mutating func add(_ members: String) {
    text += isFirst ? "{" : ",{"
    text += members + "}"
    isFirst = false
  }

  private func named(_ name: String, _ link: LinkID? = nil) -> String {
    "\"name\":\"\(name)\"" + (link.map { ",\"link\":\($0.rawValue)" } ?? "")
  }

  private func member(_ name: String, _ uuid: BluetoothUUID) -> String { ",\"\(name)\":\(Self.quoted(uuid))" }
  private func value(_ octets: [UInt8]) -> String { ",\"octets\":\"\(String(hexadecimal: octets))\"" }
  private func list(_ name: String, _ items: [String]) -> String {
    ",\"\(name)\":[\(items.joined(separator: ","))]"
  }

  private static func quoted(_ uuid: BluetoothUUID) -> String { "\"\(uuid)\"" }

  static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    // A text is always encodable.
    return String(decoding: (try? encoder.encode(text)) ?? Data("\"\"".utf8), as: UTF8.self)
  }
}

/// What the program says of itself.
struct ProgramGreeting {
  var implementation: String
  var claims: [String]?

  var octets: [UInt8] {
    var text = "{\"name\":\"hello\",\"protocol\":1,\"implementation\":\(AnswerLine.quoted(implementation))"
    if let claims { text += ",\"ics\":[\(claims.map(AnswerLine.quoted).joined(separator: ","))]" }
    return Array((text + "}").utf8)
  }
}
