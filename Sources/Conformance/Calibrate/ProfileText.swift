import Bench
import BluetoothWire
import CaptureCheck
import Judging
import Platform
import SimKernel
import VirtualRadio

extension Calibration {
  /// The profile as a file: fitted values with where they come from, what was left at the preset, what was measured.
  public var octets: [UInt8] {
    var text = "# A profile measured by babbench calibrate; Docs/Formats/profile.md has the format.\n"
    text += "# A scenario names it by its path: " + reference + "\n"
    text += "profile: \(Self.quoted(name))\ncaptures:\n"
    for (index, capture) in report.captures.enumerated() {
      let file = capture.path.split(separator: "/").last.map(String.init) ?? capture.path
      text += "  - { file: \(Self.quoted(file)), packets: \(capture.records), seen at: \(place(index)) }\n"
    }
    text += "phones:\n"
    for phone in phones { text += entry(phone) }
    text += radio
    let measured = measurements
    if !measured.isEmpty {
      text += "# Durations of all captures together; no run depends on them. Quantiles are at most 1/32 too large.\n"
      text += "measured:\n"
      for item in measured {
        let times = [
          ("least", item.least), ("median", item.median), ("p90", item.p90), ("p99", item.p99),
          ("greatest", item.greatest),
        ].map { "\($0): \(min($1.nanoseconds, 999_999_999_999_999))ns" }
        text += "  - { what: \(Self.quoted(item.what)), samples: \(item.samples), \(times.joined(separator: ", ")) }\n"
      }
    }
    return Array(text.utf8)
  }

  private var reference: String {
    let phone = phones.first.map { "phone: FILE#\($0.name)" } ?? "phone: FILE#name"
    return loss == nil ? phone : phone + ", radio: FILE"
  }

  private func place(_ capture: Int) -> String {
    let onAir = report.stats.links.contains { $0.link.file == capture && $0.isOnAir }
    let atHCI = report.stats.adapters.contains { $0.adapter.file == capture }
    return onAir ? (atHCI ? "both" : "air") : (atHCI ? "hci" : "nothing")
  }

  /// In single quotes, on one line; a quote is doubled.
  private static func quoted(_ text: String) -> String {
    let line = ConsoleTable.oneLine(text).map { $0 == "'" ? "''" : String($0) }.joined()
    return "'\(line)'"
  }

  private func entry(_ phone: Phone) -> String {
    let shown = phone.devices.prefix(8).map { $0.map { "\($0)" } ?? "a device without address" }
    let more = phone.devices.count > 8 ? " and \(phone.devices.count - 8) more" : ""
    var text = "  # \(phone.role == .central ? "Central" : "Peripheral"): \(shown.joined(separator: ", "))\(more)\n"
    text += "  \(phone.name):\n"
    text += "    preset: \(phone.preset.name) # agrees with \(phone.agreement) of \(phone.values.count) fitted values\n"
    for value in phone.values {
      let preset = FittedDevice.value(of: value.key, in: phone.preset, role: phone.role)
      let line = "    \(value.key.rawValue): \(FittedDevice.text(value.key, value.value))"
      text += line + " # " + remark(value, isPreset: preset == value.value) + "\n"
    }
    let fitted = phone.values.map(\.key.rawValue)
    let table = ScenarioSchema.keys(.bare).first { $0.table == "phone" }?.names ?? []
    let left = table.filter { $0 != "preset" && !fitted.contains($0) }
    return text + "    # left at the preset: \(left.joined(separator: ", "))\n"
  }

  private func remark(_ value: FittedDevice.Value, isPreset: Bool) -> String {
    var parts = [CountedNoun.text(value.samples, "sample"), value.source]
    switch value.grade {
    case .said: parts.append("exact")
    case .negotiated: parts.append("at least that")
    case .estimated: parts.append("estimated")
    }
    if !value.others.isEmpty {
      let others = value.others.prefix(4).map { FittedDevice.text(value.key, $0) }
      parts.append("also seen: " + others.joined(separator: " ") + (value.others.count > 4 ? " …" : ""))
    }
    if isPreset { parts.append("as the preset") }
    return parts.joined(separator: "; ")
  }

  private var radio: String {
    guard let loss else {
      let isAir = report.stats.links.contains(where: \.isOnAir)
      return isAir
        ? "# no “radio”: fewer than \(Self.leastJudged) answers say whether a PDU had come\n"
        : "# no “radio”: HCI shows no loss; completion times below have retransmissions in them\n"
    }
    var text =
      "# \(loss.lost) of \(loss.judged) PDUs of peripherals were not acknowledged by the next PDU of the central:"
    text += " error ±\(loss.error) ppm\n"
    text += "# (three standard errors). Loss that depends on level, bursts or channels is in it as a mean.\n"
    return text + "radio:\n  preset: ideal\n  packet loss: \(loss.partsPerMillion) ppm\n"
  }
}

extension Calibration {
  /// One line for the terminal.
  public var summary: String {
    let names = phones.map { "\($0.name) (\($0.values.count) values, else \($0.preset.name))" }
    let room = loss.map { ", packet loss \($0.partsPerMillion) ± \($0.error) ppm" } ?? ""
    return names.joined(separator: ", ") + room
  }
}
