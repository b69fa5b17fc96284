import Bench
import BluetoothWire
import VirtualRadio

/// A phone: a preset, or a preset with values that few phones have.
struct PhoneDraw {
  private let draws: Draws
  /// Links that it keeps as peripheral; nil: as the preset says.
  var links: Int?
  /// The kind of its advertising; nil: any that is not directed.
  var advertises: String?

  init(_ draws: Draws) { self.draws = draws }

  /// Seeds that drew one of these draw it still, except some that drew an Android.
  private static let presets = KeyTable.phoneNames.filter { $0 != PhonePreset.android7.name }

  /// Nil: nothing is written.
  var tree: YAMLTree? {
    let drawn = draws.one("preset", of: Self.presets)
    let isOld = drawn == PhonePreset.android.name && draws.happens("older", permille: 150)
    let preset = isOld ? PhonePreset.android7.name : drawn
    let isOwn = links != nil || advertises != nil || draws.happens("own values", permille: 350)
    guard isOwn else { return draws.happens("is written", permille: 750) ? .scalar(preset) : nil }
    var entries: [(String, YAMLTree?)] = [
      ("preset", draws.happens("has preset", permille: 800) ? .scalar(preset) : nil)
    ]
    entries += background + bonds + buffers + radio + links(links) + scans + currents
    return .map(entries)
  }

  private func some(_ key: String, _ permille: Int = 120, _ value: (Draws) -> YAMLTree) -> (String, YAMLTree?) {
    (key, draws.happens(key, permille: permille) ? value(draws.of(key)) : nil)
  }

  private func number(_ key: String, _ range: ClosedRange<Int>, rare: ClosedRange<Int>? = nil) -> (String, YAMLTree?) {
    some(key) { draws in
      let range = rare.map { draws.happens("rare", permille: 300) ? $0 : range } ?? range
      return .scalar(draws.number("value", range))
    }
  }

  private var buffers: [(String, YAMLTree?)] {
    [
      number("att mtu", 23...517, rare: 23...40), some("exchanges att mtu") { .flag($0.happens("yes", permille: 500)) },
      number("notification queue", 1...40, rare: 1...3), number("write queue", 1...40, rare: 1...3),
      number("acl buffers", 1...20, rare: 1...2), number("acl octets", 27...251, rare: 27...1_021),
      number("data length", 27...251, rare: 27...30), number("packets per event", 0...8, rare: 1...2),
      some("suspends after", 80) { .scalar($0.pause("value")) },
      some("reclaims sockets", 80) { .flag($0.happens("yes", permille: 500)) },
      some("one operation at a time", 10) { .flag($0.happens("yes", permille: 800)) },
      some("att timeout ends link", 20) { .flag($0.happens("yes", permille: 500)) },
      some("caches services", 30) { .scalar($0.one("value", of: PhonePreset.ServiceCaching.allCases.map(\.rawValue))) },
      some("service changed", 20) { .flag($0.happens("yes", permille: 300)) },
      some("scan starts", 20) { .scalar($0.number("value", 1...8)) },
      some("rotates address", 30) {
        .scalar($0.happens("none", permille: 200) ? "none" : "\($0.number("value", 1...300))s")
      },
      some("extended advertising", 50) { .flag($0.happens("yes", permille: 800)) },
      some("subrating", 20) { .flag($0.happens("yes", permille: 800)) },
      some("sync transfer", 20) { .flag($0.happens("yes", permille: 800)) },
      some("isochronous streams", 20) { .flag($0.happens("yes", permille: 800)) },
      some("periodic responses", 20) { .flag($0.happens("yes", permille: 800)) },
      some("clock accuracy updates", 20) { .flag($0.happens("yes", permille: 800)) },
      some("channel reports", 20) { .flag($0.happens("yes", permille: 800)) },
      some("minimum used channels", 20) { .scalar("\($0.number("value", 2...37))") },
      some("keeps services", 20) { .flag($0.happens("yes", permille: 500)) },
    ]
  }

  private var background: [(String, YAMLTree?)] {
    [
      some("background advertising", 15) {
        .scalar($0.one("value", of: PhonePreset.BackgroundAdvertising.allCases.map(\.rawValue)))
      },
      some("background scanning", 15) {
        .scalar($0.one("value", of: PhonePreset.BackgroundScanning.allCases.map(\.rawValue)))
      },
      some("woken by bluetooth", 20) { .flag($0.happens("yes", permille: 200)) },
      some("wakes every", 20) { .scalar("\($0.number("value", 1...90))s") },
      some("wakes for", 15) { .scalar("\($0.number("value", 1...30))s") },
      some("dozes after", 15) { .scalar($0.pause("value")) },
      some("requests after", 20) { .scalar("\($0.number("value", 1...900))ms") },
      some("discovery interval", 20) { .scalar(Draws.text(thousandths: $0.number("value", 6...24) * 1_250, "ms")) },
      some("ends app after", 15) { .scalar($0.pause("value")) },
    ]
  }

  private var bonds: [(String, YAMLTree?)] {
    guard draws.happens("bonds", permille: 40) else { return [] }
    return [("bonds", .flag(true)), some("bond limit", 300) { .scalar($0.number("value", 1...3)) }]
  }

  private var radio: [(String, YAMLTree?)] {
    let supports = draws.happens("supports 2M", permille: 600)
    let prefers = draws.happens("prefers 2m", permille: 100)
    let holdsLevel = draws.happens("holds level", permille: 20)
    let controlsPower = holdsLevel || draws.happens("power control", permille: 20)
    return [
      ("2m", prefers || draws.happens("says 2m", permille: 100) ? .flag(prefers || supports) : nil),
      ("prefers 2m", prefers ? .flag(true) : nil),
      some("channel selection 2") { .flag($0.happens("yes", permille: 400)) },
      some("adaptive hopping") { .flag($0.happens("yes", permille: 300)) },
      number("hop increment", 5...16),
      some("link scheduling", 15) { .scalar($0.one("value", of: LinkScheduling.allCases.map(\.rawValue))) },
      some("clock accuracy") { .scalar("\($0.one("value", of: [20, 30, 50, 75, 100, 150, 250, 500])) ppm") },
      ("power control", controlsPower ? .flag(true) : nil),
      ("wanted level", holdsLevel ? .scalar("\(draws.number("wanted level", -75 ... -45)) dBm") : nil),
      some("event length") { .scalar(Draws.text(nanoseconds: $0.number("value", 300...9_000) * 1_000)) },
      some("transmit power") { .scalar("\($0.number("value", -20...10)) dBm") },
      some("sensitivity") { .scalar("\($0.number("value", -100 ... -70)) dBm") },
    ]
  }

  /// The parameters of links fit each other, so all three are written.
  private func links(_ seats: Int?) -> [(String, YAMLTree?)] {
    // Room for links that are dying, too.
    let seats: [(String, YAMLTree?)] = [
      ("links", seats.map { .scalar($0) }), some("links as central", 20) { .scalar($0.number("value", 3...16)) },
      some("links in all", 20) { .scalar($0.number("value", 12...40)) },
    ]
    guard draws.happens("connection parameters", permille: 250) else { return seats }
    let units = draws.weighted(
      "interval",
      [(4, draws.number("short", 6...40)), (2, draws.number("middle", 40...160)), (1, draws.number("long", 160...800))])
    let wanted = draws.weighted(
      "latency", [(5, 0), (2, draws.number("some", 1...4)), (1, draws.number("much", 5...20))])
    // The longest timeout is 32 s.
    let latency = (1 + wanted) * units < 12_000 ? wanted : 0
    let least = (1 + latency) * units * 125 * 2 / 1_000 + 1
    let timeout = min(3_200, least + draws.number("patience", 10...600))
    let interval = units * 1_250
    return seats + [
      ("connection interval", .scalar(Draws.text(thousandths: interval, "ms"))),
      ("peripheral latency", .scalar(latency)), ("supervision timeout", .scalar("\(max(10, timeout) * 10)ms")),
      some("anchor offset") {
        .scalar(Draws.text(thousandths: $0.number("value", 0...units) * 1_250, "ms"))
      },
      some("link spacing") { .scalar(Draws.text(nanoseconds: $0.number("value", 0...interval) * 1_000)) },
    ]
  }

  private var scans: [(String, YAMLTree?)] {
    let kinds = KeyTable.advertisingKinds.filter { !$0.kind.isDirected }.map(\.name)
    var keys: [(String, YAMLTree?)] = [
      some("advertising interval", 150) { .scalar(Self.units($0.number("value", 32...800))) },
      some("advertising channels", 80) { draws in
        let channels = draws.inDrawnOrder("order", [37, 38, 39]).prefix(draws.number("count", 1...3))
        return .list(channels.map { .scalar($0) })
      },
      (
        "advertising kind",
        (advertises ?? (draws.happens("advertising kind", permille: 15) ? draws.one("kind", of: kinds) : nil))
          .map { .scalar($0) }
      ),
    ]
    if draws.happens("scans its own way", permille: 150) {
      let interval = draws.number("scan interval", 8...400)
      let window = draws.number("scan window", 4...interval)
      keys += [("scan interval", .scalar(Self.units(interval))), ("scan window", .scalar(Self.units(window)))]
    }
    return keys
  }

  private static func units(_ count: Int) -> String { Draws.text(thousandths: count * 625, "ms") }

  private var currents: [(String, YAMLTree?)] {
    [
      some("transmit current", 20) { .scalar("\($0.number("value", 1...20)) mA") },
      some("receive current", 20) { .scalar("\($0.number("value", 1...20)) mA") },
      some("sleep current", 20) { .scalar("\($0.number("value", 1...9)) uA") },
    ]
  }
}
