/// An app's protocol that captures can be judged by, as a value: of a type that is compiled in, or of a file.
public struct SpokenProtocol: Sendable {
  /// As `--protocol` takes it.
  public let name: String
  /// What `--dialect` takes.
  public let dialects: [String]
  let make: @Sendable (_ dialect: String?, TrafficSession) -> any TrafficJudge
  /// What puts its packets into words, for one reading of captures.
  public let makePrinter: @Sendable () -> any PacketPrinter

  /// - Parameters:
  ///   - make: for one check; the dialect is nil to find out from the traffic.
  ///   - makePrinter: for one reading of captures.
  public init(
    name: String, dialects: [String],
    make: @escaping @Sendable (_ dialect: String?, TrafficSession) -> any TrafficJudge,
    makePrinter: @escaping @Sendable () -> any PacketPrinter
  ) {
    self.name = name
    self.dialects = dialects
    self.make = make
    self.makePrinter = makePrinter
  }

  public init(_ type: any TrafficProtocol.Type) {
    self.init(
      name: type.name, dialects: type.dialects, make: { type.init(dialect: $0, session: $1) },
      makePrinter: { type.makePrinter() })
  }
}
