/// A service of this device: the app's own number, used once in a launch.
public struct ServiceKey: Hashable, Sendable {
  public var rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A characteristic or descriptor of this device: the app's own number, used once in a launch.
public struct AttributeKey: Hashable, Sendable {
  public var rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// A request of a client that waits for the app: the platform's number, never used twice.
public struct RequestID: Hashable, Sendable {
  public var rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
}
