import Foundation

/// Apple's unified logging: each message is a line on standard error, whatever its level.
public struct Logger: Sendable {
  private let prefix: String

  public init() { prefix = "" }
  public init(subsystem: String, category: String) { prefix = "[\(subsystem):\(category)] " }
  public init(_ log: OSLog) { prefix = log.prefix }

  public func log(_ message: OSLogMessage) { write("default", message) }
  public func log(level: OSLogType, _ message: OSLogMessage) { write(level.name, message) }
  public func trace(_ message: OSLogMessage) { write("trace", message) }
  public func debug(_ message: OSLogMessage) { write("debug", message) }
  public func info(_ message: OSLogMessage) { write("info", message) }
  public func notice(_ message: OSLogMessage) { write("notice", message) }
  public func warning(_ message: OSLogMessage) { write("warning", message) }
  public func error(_ message: OSLogMessage) { write("error", message) }
  public func critical(_ message: OSLogMessage) { write("critical", message) }
  public func fault(_ message: OSLogMessage) { write("fault", message) }

  private func write(_ level: String, _ message: OSLogMessage) {
    FileHandle.standardError.write(Data("\(prefix)\(level): \(message.text)\n".utf8))
  }
}

/// A text with interpolations that may say how they are shown; privacy and formats change nothing here.
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral, Sendable {
  public let text: String

  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  public struct Interpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation<Value>(
      _ value: @autoclosure () -> Value, privacy: OSLogPrivacy = .auto
    ) { text += String(describing: value()) }

    public mutating func appendInterpolation<Value: BinaryInteger>(
      _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting, privacy: OSLogPrivacy = .auto
    ) { text += format.isHexadecimal ? "0x" + String(value(), radix: 16) : String(value()) }
  }
}

public enum OSLogPrivacy: Sendable { case auto, `public`, `private`, sensitive }

public struct OSLogIntegerFormatting: Sendable {
  let isHexadecimal: Bool
  public static let decimal = Self(isHexadecimal: false)
  public static let hex = Self(isHexadecimal: true)
}

/// A category of messages.
public final class OSLog: Sendable {
  let prefix: String
  public static let `default` = OSLog(prefix: "")
  public static let disabled = OSLog(prefix: "")

  public init(subsystem: String, category: String) { prefix = "[\(subsystem):\(category)] " }
  private init(prefix: String) { self.prefix = prefix }
}

public struct OSLogType: Hashable, Sendable {
  let name: String
  public static let `default` = Self(name: "default")
  public static let info = Self(name: "info")
  public static let debug = Self(name: "debug")
  public static let error = Self(name: "error")
  public static let fault = Self(name: "fault")
}
