/// A part of a write: whole writes have one, prepared writes as many as the client sent.
/// Spec: Core v5.4, Vol 3, Part F, 3.4.6.
public struct WritePart: Hashable, Sendable {
  public var attribute: AttributeKey
  public var offset: Int
  public var octets: [UInt8]

  public init(attribute: AttributeKey, offset: Int, octets: [UInt8]) {
    self.attribute = attribute
    self.offset = offset
    self.octets = octets
  }
}

extension WritePart: WordRecord {
  public static let empty = WritePart(attribute: AttributeKey(0), offset: 0, octets: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("attribute", &attribute.rawValue)
    try visitor.field("offset", &offset)
    try visitor.field("octets", &octets)
  }
}
