import BluetoothWire
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

/// Phones as public logs of their HCI show them, the presets that model them, and the page that has both.
@Suite("Measured phones and their presets")
struct MeasuredPhonesTests {
  private static func page() throws -> String {
    try Repository.text("Docs/phones.md")
  }

  /// The part of a page below a heading of the second level.
  private static func section(_ heading: String, of page: String) -> [String] {
    let lines = page.components(separatedBy: "\n")
    guard let start = lines.firstIndex(of: "## \(heading)") else { return [] }
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
  }

  private static func text(_ distance: Double) -> String { String(format: "%.2f", distance) }

  /// Presets by their distance, the nearest first.
  private static func presets(by phone: MeasuredPhone) -> [(preset: PhonePreset, distance: Double)] {
    PhonePreset.all.enumerated().map { (index: $0, preset: $1, distance: phone.distance(of: $1)) }
      .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.map { ($0.preset, $0.distance) }
  }

  @Test("Every row is read; phones have names of their own, and at least three quantities")
  func rows() throws {
    let phones = try MeasuredPhone.read()
    equal(phones.count, 23)
    equal(Set(phones.map(\.name)).count, phones.count)
    expect(phones.filter { $0.preset == "iphone" }.count >= 2)
    expect(phones.filter { $0.preset == "android" }.count >= 10)
    for phone in phones {
      expect(PhonePreset.named(phone.preset) != nil, "\(phone.name)")
      expect(phone.links > 0 && !phone.proof.isEmpty && !phone.repositories.isEmpty, "\(phone.name)")
      expect(phone.parts(of: .ideal).count >= 3, "\(phone.name)")
    }
  }

  @Test("A row that is cut, or has a strange cell, is refused")
  func malformedRows() throws {
    let cells = [
      "a phone", "android", "a/b", "name", "1", "30 45 50", "0", "5000", "185+", "-", "-", "1/2", "MTU 1/2", "3 4 5",
      "features encrypt MTU 2/2", "0.00",
    ]
    let phone = try MeasuredPhone(line: Substring(cells.joined(separator: "\t")))
    expect(phone.interval?.text == "45 (30–50)" && phone.askedATTMTU?.text == "≥ 185")
    expect(phone.answeredATTMTU == nil)
    expect(phone.setup?.text == "features, encrypt, MTU: 2 of 2" && phone.encryptsFirst)
    for index in 4..<cells.count {
      var wrong = cells
      wrong[index] = "x"
      #expect(throws: MeasuredPhone.MalformedRow.self, "column \(index)") {
        try MeasuredPhone(line: Substring(wrong.joined(separator: "\t")))
      }
    }
    #expect(throws: MeasuredPhone.MalformedRow.self) {
      try MeasuredPhone(line: Substring(cells.dropLast().joined(separator: "\t")))
    }
    for cell in ["50 45 30", "30 50", "+", "", "3/2"] {
      #expect(throws: MeasuredPhone.MalformedRow.self, "\(cell)") { try MeasuredQuantity.read(cell) }
    }
    for cell in ["MTU", "1/2", "MTU 3/2", "MTU MTU 1/2", "mtu 1/2", "MTU -"] {
      #expect(throws: MeasuredPhone.MalformedRow.self, "\(cell)") {
        try MeasuredHabit.read(cell, of: FirstPackets.requests)
      }
    }
  }

  @Test("A distance is none within what was measured, and the logarithm of the ratio outside")
  func distances() throws {
    equal(MeasuredPhone.distance(of: 30...50, from: 45...45), 0)
    equal(MeasuredPhone.distance(of: 30...50, from: 50...60), 0)
    expect(abs(MeasuredPhone.distance(of: 100...100, from: 200...400) - log(2)) < 1e-12)
    expect(abs(MeasuredPhone.distance(of: 800...800, from: 200...400) - log(2)) < 1e-12)
    let open = try required(try MeasuredQuantity.read("23 185 247+"))
    equal(open.range, 247...Double.infinity)
    let limited = try required(try MeasuredQuantity.read("27 189 251"))
    expect(limited.range == 27...251 && limited.rangeOfGreatest == 251...251)
    // Of five quantities only the latency, 1 for 0, and the links on LE 2M, all of them, are not Android's.
    let cells =
      ["a phone", "android", "a/b", "name", "4", "45", "1", "5000", "517", "-", "-", "4/4", "-", "-", "-", "0.30"]
    let phone = try MeasuredPhone(line: Substring(cells.joined(separator: "\t")))
    expect(abs(phone.distance(of: .android) - 2 * log(2) / 5) < 1e-12)
    let waiting = try MeasuredPhone(
      line: Substring((cells.prefix(13) + ["90 200 300", "-", "0.30"]).joined(separator: "\t")))
    let packets = FirstPackets(first: "services", after: 0)
    expect(abs(waiting.distance(of: .android, with: packets) - (2 * log(2) + log(4)) / 6) < 1e-12)
  }

  @Test("First packets are those of a simulated link, and change with the stack and the app")
  func firstPackets() throws {
    let (iphone, android) = (FirstPackets.of(.iphone), FirstPackets.of(.android))
    expect(iphone.first == "MTU" && iphone.setup == ["features", "MTU", "length", "phy", "services"])
    expect(android.first == "services" && android.setup == ["features", "services", "length"])
    expect(iphone.after == 0 && android.after == 0)
    let bonded = FirstPackets.of(.iphone, isBonded: true)
    expect(bonded.setup.prefix(2) == ["encrypt", "MTU"] && bonded.after == 0)
    var eager = PhonePreset.android
    eager.att.exchangesAutomatically = true
    equal(FirstPackets.measure(eager).first, "MTU")
    equal(FirstPackets.measure(.android, pause: .milliseconds(400)).after, 400)
    var patient = PhonePreset.android
    patient.connection.requestsAfter = .milliseconds(200)
    equal(FirstPackets.measure(patient).after, 200)
  }

  /// Where a peer asks first, or an Android reads Generic Access for itself, they differ.
  @Test("Most phones begin with the request of their preset, and one with that of the other preset")
  func firstRequests() throws {
    func alike(_ preset: (MeasuredPhone) -> PhonePreset) -> Int {
      MeasuredPhone.all.filter { phone in
        FirstPackets.of(preset(phone), isBonded: phone.encryptsFirst).first == phone.first?.words[0]
      }.count
    }
    let own = alike { $0.preset == "iphone" ? .iphone : .android }
    equal(own, 18)
    equal(alike { $0.preset == "iphone" ? .android : .iphone }, 1)
    let page = try Self.section("Measured phones", of: Self.page()).joined(separator: "\n")
    expect(page.contains("\(own) of \(MeasuredPhone.all.count) phones begin with the request of their preset"))
  }

  @Test("The nearest of all presets is the one that models the phone", arguments: MeasuredPhone.all)
  func nearest(phone: MeasuredPhone) throws {
    let order = Self.presets(by: phone)
    let own = try required(order.first { $0.preset.name == phone.preset })
    // What tells the two Androids apart, an older one's timeout, differs from link to link on one phone.
    equal(own.distance, order[0].distance)
    expect(order.allSatisfy { $0.preset.name.hasPrefix(order[0].preset.name.prefix(7)) || $0.distance > own.distance })
  }

  @Test(
    "A preset keeps the distance that is stated; with a wrong timeout, or an app that waits, it does not",
    arguments: MeasuredPhone.all)
  func bounds(phone: MeasuredPhone) throws {
    let preset = try required(PhonePreset.named(phone.preset))
    let distance = phone.distance(of: preset)
    expect(distance <= phone.largestDistance, "\(distance)")
    expect(distance > phone.largestDistance - 0.05, "a bound of less would do: \(distance)")
    let wrong = [UInt16(10), 3_200].map { timeout in
      var wrong = preset
      wrong.connection.initial.supervisionTimeout = timeout
      return phone.distance(of: wrong)
    }
    expect(wrong.contains { $0 > phone.largestDistance })
    // It asks for Service Changed by itself, whatever its app does.
    if preset.att.cachesServices == .always { return }
    var late = preset
    late.att.exchangesAutomatically = false
    let packets = FirstPackets.measure(late, pause: .seconds(300))
    expect(phone.distance(of: preset, with: packets) > phone.largestDistance)
  }

  @Test("The page shows each phone as it was measured, and both distances", arguments: MeasuredPhone.all)
  func pageOfPhones(phone: MeasuredPhone) throws {
    let order = Self.presets(by: phone)
    let preset = try required(PhonePreset.named(phone.preset))
    let sources = phone.repositories.map { "[\($0)](https://github.com/\($0))" }.joined(separator: ", ")
    let next = try required(order.first { $0.preset.name != phone.preset })
    let row = [
      phone.name, phone.proof, sources, "\(phone.links)", shown(phone.interval), shown(phone.latency),
      shown(phone.timeout), shown(phone.askedATTMTU), shown(phone.answeredATTMTU), shown(phone.dataOctets),
      phone.on2M.map { "\($0.count) of \($0.links)" } ?? "–", phone.first?.text ?? "–", shown(phone.after),
      phone.setup?.text ?? "–",
      "`\(preset.name)` \(Self.text(phone.distance(of: preset)))", "`\(next.preset.name)` \(Self.text(next.distance))",
    ]
    let line = "| " + row.joined(separator: " | ") + " |"
    try expect(Self.section("Measured phones", of: Self.page()).contains(line), "Docs/phones.md has no line: \(line)")
  }

  private func shown(_ quantity: MeasuredQuantity?) -> String { quantity?.text ?? "–" }

  private static func cells(_ line: String) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  @Test(
    "The page has no other phones, and the presets beside them", arguments: [PhonePreset.iphone, .android, .android7])
  func pageOfPresets(preset: PhonePreset) throws {
    let lines = try Self.section("Measured phones", of: Self.page())
    let asked = preset.connection.initial
    let packets = FirstPackets.of(preset)
    let row = [
      "preset `\(preset.name)`", "", "", "", PresetWords.intervals(asked), "\(asked.peripheralLatency)",
      "\(Int(asked.supervisionTimeout) * 10)", "\(preset.att.clientMTU)", "\(preset.att.serverMTU)",
      "\(preset.radio.maximumDataOctets)", preset.radio.prefers2M ? "all" : "none", packets.first ?? "–",
      packets.after.map { "\(Int($0))" } ?? "–", packets.setup.joined(separator: ", "), "", "",
    ]
    expect(lines.contains { Self.cells($0) == row }, "Docs/phones.md has no line of the cells \(row)")
    let phones = lines.filter { $0.hasPrefix("| ") && $0.contains("https://github.com/") }
    equal(phones.count, MeasuredPhone.all.count)
  }

  /// The tables of Linux and of older Androids are short ones; what they have must be right.
  @Test(
    "The page says of each preset what it is",
    arguments: [
      ("iPhone", PhonePreset.iphone), ("Android", .android), ("Android 7 and older", .android7), ("Linux", .linux),
    ])
  func pageOfTopics(heading: String, preset: PhonePreset) throws {
    let lines = try Self.section(heading, of: Self.page())
    let rows = PresetWords.rows(preset).filter { row in
      ![.linux, .android7].contains(preset) || lines.contains { $0.hasPrefix("| \(row.topic) |") }
    }
    expect(rows.count >= 8)
    for row in rows {
      let start = "| \(row.topic) | \(row.words) |"
      expect(lines.contains { $0.hasPrefix(start) }, "\(heading): Docs/phones.md has no line: \(start)")
    }
  }
}
