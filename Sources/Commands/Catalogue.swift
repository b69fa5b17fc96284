import Bench
import Conformance
import SimKernel
import VirtualRadio

/// What `babbench list` shows: names that can be written in a scenario or on the command line.
enum Catalogue {
  struct Row {
    var name: String
    var text: String
  }

  /// - Parameter isPlain: names are enough, so files are not read.
  static func rows(of kind: ListCommand.Kind, bench: Bench, isPlain: Bool) -> [Row] {
    switch kind {
    case .scenarios:
      ScenarioLibrary.shipped.entries.map { entry in
        if isPlain { return Row(name: entry.name, text: "") }
        do { return Row(name: entry.name, text: try bench.load(entry.path, []).summary) } catch {
          return Row(name: entry.name, text: "cannot be read; babbench validate \(entry.path)")
        }
      }
    case .oracles: protocols.flatMap(\.oracles).map { Row(name: $0.id, text: "\($0.claim) (\($0.clause))") }
    case .mutants:
      protocols.mutants.map {
        Row(name: $0.name, text: "\($0.summary) (\($0.clause)\($0.oracle.map { "; failed by " + $0 } ?? ""))")
      }
    case .cases:
      protocols.purposes.map { purpose in
        let needs = purpose.needs.isEmpty ? "" : "; needs " + purpose.needs.map(\.name).joined(separator: ", ")
        let excludes =
          purpose.excludes.isEmpty ? "" : "; not with " + purpose.excludes.map(\.name).joined(separator: ", ")
        return Row(
          name: purpose.id,
          text: "\(purpose.purpose) (\(purpose.clauses.joined(separator: ", "))\(needs)\(excludes))")
      }
    case .ics: protocols.flatMap(\.ics).map { Row(name: $0.name, text: $0.text + standing($0)) }
    case .profiles: protocols.flatMap(\.profiles).map { Row(name: $0.name, text: $0.summary) }
    case .steps: protocols.flatMap(\.steps).map { Row(name: $0.name, text: $0.text) }
    case .phones: PhonePreset.all.map { Row(name: $0.name, text: phone($0)) }
    case .radios: RadioEnvironment.presets.map { Row(name: $0.name, text: room($0.environment)) }
    }
  }

  private static func standing(_ item: ICS.Item) -> String {
    switch item.standing {
    case .feature: ""
    case .assumed: " Claimed unless no-\(item.name) is listed."
    case .peculiarity: " Claimed only when it is listed; all does not mean it."
    }
  }

  private static func phone(_ phone: PhonePreset) -> String {
    "ATT_MTU \(phone.att.serverMTU) as server, \(phone.att.clientMTU) as client;"
      + " \(phone.connection.linksAsPeripheral) links as peripheral;"
      + " \(phone.buffers.notificationQueue) notifications queued"
  }

  private static func room(_ room: RadioEnvironment) -> String {
    var parts = [room.isLevelDependent ? "path loss" : "level does not matter"]
    if room.shadowing > 0 { parts.append("walls") }
    if !room.packetLoss.isZero { parts.append("loss \(room.packetLoss.numerator)/\(room.packetLoss.denominator)") }
    if room.bursts != nil { parts.append("bursts") }
    if !room.interferers.isEmpty { parts.append(room.interferers.map(\.name).joined(separator: ", ")) }
    return parts.joined(separator: "; ")
  }
}
