import Foundation

/// The message as it is; the arguments follow it, since the formats of C are not played.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
  _ arguments: Any...
) {
  write(message, arguments, log, type)
}

/// As above, with the level first.
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString, _ arguments: Any...
) {
  write(message, arguments, log, type)
}

private func write(_ message: StaticString, _ arguments: [Any], _ log: OSLog, _ type: OSLogType) {
  let text = ([message.description] + arguments.map { String(describing: $0) }).joined(separator: " ")
  Logger(log).log(level: type, OSLogMessage(stringLiteral: text))
}
