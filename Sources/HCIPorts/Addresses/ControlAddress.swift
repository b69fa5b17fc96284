/// Where a live run takes orders: `unix:PATH`, `tcp:PORT` or `tcp:HOST:PORT`.
public struct ControlAddress: Hashable, Sendable, CustomStringConvertible {
  /// As `PortAddress` has them: `tcp` or `unix`.
  public let address: PortAddress

  /// - Throws: what to write instead.
  public init(parsing text: String) throws(PortError) {
    let problem = PortError("“\(text)” is no address for orders; write unix:PATH or tcp:PORT")
    guard text.hasPrefix("unix:") || text.hasPrefix("tcp:") else { throw problem }
    address = try PortAddress(parsing: "h4:" + text)
  }

  public var description: String { String(address.description.dropFirst("h4:".count)) }
}
