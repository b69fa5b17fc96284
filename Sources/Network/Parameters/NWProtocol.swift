/// Which protocol something is about.
///
/// Source: Apple, `NWProtocolDefinition`.
public class NWProtocolDefinition: @unchecked Sendable, Hashable, CustomDebugStringConvertible {
  /// The protocol's name.
  public let name: String

  init(name: String) { self.name = name }

  /// The name.
  public var debugDescription: String { name }
  /// Whether both are one protocol.
  public static func == (a: NWProtocolDefinition, b: NWProtocolDefinition) -> Bool { a === b }
  /// Mixes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Options of one protocol of a stack.
///
/// Source: Apple, `NWProtocolOptions`.
open class NWProtocolOptions: @unchecked Sendable {
  let definition: NWProtocolDefinition

  init(definition: NWProtocolDefinition) { self.definition = definition }
}

/// What a protocol says of content or of a connection, or is told of content.
///
/// Source: Apple, `NWProtocolMetadata`.
open class NWProtocolMetadata: @unchecked Sendable {
  let definition: NWProtocolDefinition

  init(definition: NWProtocolDefinition) { self.definition = definition }
}

/// A family of protocols.
///
/// Source: Apple, `NWProtocol`.
open class NWProtocol: @unchecked Sendable {}
