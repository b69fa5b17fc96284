/// What an app's own framing protocol does, for each connection one object.
///
/// Source: Apple, `NWProtocolFramerImplementation`.
public protocol NWProtocolFramerImplementation: AnyObject {
  /// The protocol's name, for logs.
  static var label: String { get }
  /// Makes the protocol of one connection.
  init(framer: NWProtocolFramer.Instance)
  /// Begins; `willMarkReady` keeps the connection preparing until `markReady`.
  func start(framer: NWProtocolFramer.Instance) -> NWProtocolFramer.StartResult
  /// Octets have come.
  /// - Returns: how many octets are needed before it is called again; 0: any.
  func handleInput(framer: NWProtocolFramer.Instance) -> Int
  /// The app sends content, which the framer takes and writes.
  func handleOutput(
    framer: NWProtocolFramer.Instance, message: NWProtocolFramer.Message, messageLength: Int, isComplete: Bool)
  /// The time of `scheduleWakeup` has come.
  func wakeup(framer: NWProtocolFramer.Instance)
  /// The connection ends.
  /// - Returns: whether it may end at once; the bench never waits.
  func stop(framer: NWProtocolFramer.Instance) -> Bool
  /// The connection is over.
  func cleanup(framer: NWProtocolFramer.Instance)
}

/// Framing protocols that apps bring.
///
/// Source: Apple, `NWProtocolFramer`.
public class NWProtocolFramer: NWProtocol, @unchecked Sendable {
  /// What `start` of a framer comes to.
  public enum StartResult: Hashable, Sendable {
    /// Content can go now.
    case ready
    /// Content goes once the framer calls `markReady`.
    case willMarkReady
  }

  /// One framing protocol.
  public class Definition: NWProtocolDefinition, @unchecked Sendable {
    let implementation: any NWProtocolFramerImplementation.Type

    /// The protocol of an implementation.
    public init(implementation: any NWProtocolFramerImplementation.Type) {
      self.implementation = implementation
      super.init(name: implementation.label)
    }
  }

  /// Puts a framing protocol into a stack.
  public class Options: NWProtocolOptions, @unchecked Sendable {
    private var values: [String: Any] = [:]

    /// Options of a protocol.
    public init(definition: NWProtocolFramer.Definition) { super.init(definition: definition) }

    /// A value for the framer.
    public subscript(key: String) -> Any? {
      get { values[key] }
      set { values[key] = newValue }
    }
  }

  /// What a framer says of a message, and is told of one that is sent.
  public class Message: NWProtocolMetadata, @unchecked Sendable {
    private var values: [String: Any] = [:]

    /// What goes with a message that is sent.
    public init(definition: NWProtocolFramer.Definition) { super.init(definition: definition) }
    /// What comes with a message that a framer delivers.
    public init(instance: NWProtocolFramer.Instance) { super.init(definition: instance.run.definition) }

    /// A value of the protocol.
    public subscript(key: String) -> Any? {
      get { values[key] }
      set { values[key] = newValue }
    }
  }

  /// What a framer of one connection works with.
  public class Instance: @unchecked Sendable, CustomDebugStringConvertible {
    unowned let run: FramerRun

    init(_ run: FramerRun) { self.run = run }

    /// The other end; optional as Apple's is.
    public var remote: NWEndpoint? { run.connection.endpoint }
    /// The own end; virtual phones have no addresses.
    public var local: NWEndpoint? { nil }
    /// How the connection uses the network; optional as Apple's is.
    public var parameters: NWParameters? { run.connection.parameters }
    /// The options that put the framer into the stack.
    public var options: NWProtocolFramer.Options { run.options }
    /// The connection, and the protocol's name.
    public var debugDescription: String { "\(run.connection.debugDescription) \(run.definition.name)" }

    /// The framer is ready after `willMarkReady`.
    public func markReady() { run.markReady() }
    /// The framer gives the connection up.
    public func markFailed(error: NWError?) { run.connection.framerFailed(error ?? .posix(.ECONNABORTED)) }
    /// From here on octets come without `handleInput`.
    public func passThroughInput() { run.passThroughInput() }
    /// From here on content goes without `handleOutput`.
    public func passThroughOutput() { run.passesOutput = true }
    /// Calls `wakeup` at this time, instead of at one that was named before.
    public func scheduleWakeup(wakeupTime: WakeupTime) { run.scheduleWakeup(wakeupTime) }
    /// Does something in the framer's turn.
    public func async(execute body: @escaping @Sendable () -> Void) { run.async(body) }

    /// When `wakeup` is called.
    public enum WakeupTime: Hashable, Sendable {
      /// This many milliseconds from now.
      case milliseconds(UInt64)
      /// Never.
      case forever
    }

    /// Looks at octets that have come.
    /// - Parameter parse: is given between the least and the most octets, and whether nothing follows; it returns how
    ///   many of them it has taken.
    /// - Returns: false: there are too few, and `parse` was not called.
    public func parseInput(
      minimumIncompleteLength: Int, maximumLength: Int, parse: (UnsafeMutableRawBufferPointer?, Bool) -> Int
    ) -> Bool {
      run.parseInput(minimumIncompleteLength, maximumLength, parse)
    }

    /// Gives the app octets of a message.
    public func deliverInput(data: Data, message: NWProtocolFramer.Message, isComplete: Bool) {
      run.deliver(data, message, isComplete: isComplete)
    }

    /// Gives the app the next octets that come, as they are.
    /// - Returns: false: some of them have not come yet; `handleInput` is called again after the last one.
    public func deliverInputNoCopy(length: Int, message: NWProtocolFramer.Message, isComplete: Bool) -> Bool {
      run.deliverNext(length, message, isComplete: isComplete)
    }

    /// Looks at content that is sent, and takes it out of the content.
    /// - Returns: false: there are too few octets, and `parse` was not called.
    public func parseOutput(
      minimumIncompleteLength: Int, maximumLength: Int, parse: (UnsafeMutableRawBufferPointer?, Bool) -> Int
    ) -> Bool {
      run.parseOutput(minimumIncompleteLength, maximumLength, parse)
    }

    /// Sends octets.
    public func writeOutput(data: Data) { run.write(data) }
    /// Sends octets.
    public func writeOutput<Content: DataProtocol>(data: Content) { run.write(Data(data)) }

    /// Sends the next octets of the content as they are.
    /// - Throws: `posix(EINVAL)`: the content has fewer.
    public func writeOutputNoCopy(length: Int) throws { try run.writeNext(length) }
  }
}
