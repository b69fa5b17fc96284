import Foundation

/// What Linux lets this process do.
public struct Capabilities: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// User channels, adapters up and down, large receive buffers.
  public static let netAdmin = Capabilities(rawValue: 1 << 12)
  /// The monitor channel, and all packets of an adapter.
  public static let netRaw = Capabilities(rawValue: 1 << 13)

  /// Those of this process; everything where the system has no such thing.
  public static var own: Capabilities {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return Capabilities(rawValue: .max)
    }
    return Capabilities(processStatus: text)
  }

  /// From the text of `/proc/PID/status`.
  init(processStatus text: String) {
    let field = text.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let digits = field?.dropFirst("CapEff:".count).trimmingCharacters(in: .whitespaces) ?? ""
    self.init(rawValue: UInt64(digits, radix: 16) ?? .max)
  }
}
