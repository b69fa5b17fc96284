import CoreBluetooth

/// One framer of one connection: what has come and was not parsed, and what the app sends at the moment.
final class FramerRun {
  unowned let connection: NWConnection
  let options: NWProtocolFramer.Options
  let definition: NWProtocolFramer.Definition
  private(set) var isReady = false
  var passesOutput = false

  private lazy var instance = NWProtocolFramer.Instance(self)
  private var implementation: (any NWProtocolFramerImplementation)?
  private var incoming = Data()
  private var isInputOver = false
  private var isInputPassed = false
  /// Octets without which `handleInput` is not called.
  private var needed = 0
  /// What is delivered as it comes.
  private var passing: (rest: Int, message: NWProtocolFramer.Message, isComplete: Bool)?
  private var isParsing = false
  private var content = Data()
  private var isContentComplete = true
  private var written: [UInt8] = []
  private var wakeup: DispatchWorkItem?

  /// Nil: the options are not of a framer.
  init?(_ options: NWProtocolFramer.Options, of connection: NWConnection) {
    guard let definition = options.definition as? NWProtocolFramer.Definition else { return nil }
    self.connection = connection
    self.options = options
    self.definition = definition
  }

  /// Octets that were not parsed.
  var unparsed: Int { incoming.count }

  func start() {
    let made = definition.implementation.init(framer: instance)
    implementation = made
    isReady = made.start(framer: instance) == .ready
    flush()
  }

  func stop() {
    wakeup?.cancel()
    if let implementation {
      _ = implementation.stop(framer: instance)
      implementation.cleanup(framer: instance)
    }
    implementation = nil
  }

  func markReady() {
    guard !isReady else { return }
    isReady = true
    connection.framerIsReady()
    parseMore()
  }

  func scheduleWakeup(_ time: NWProtocolFramer.Instance.WakeupTime) {
    wakeup?.cancel()
    wakeup = nil
    guard case .milliseconds(let milliseconds) = time, let queue = connection.queue else { return }
    let item = DispatchWorkItem { [weak self] in
      guard let self, let implementation else { return }
      implementation.wakeup(framer: instance)
      settle()
    }
    wakeup = item
    queue.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: milliseconds)), execute: item)
  }

  func async(_ body: @escaping @Sendable () -> Void) {
    guard let queue = connection.queue else { return body() }
    connection.network?.phone.call(on: queue) { [weak self] in
      body()
      self?.settle()
    }
  }

  /// What a framer did outside of input and output takes effect.
  private func settle() {
    flush()
    parseMore()
    connection.serve()
  }

  // MARK: Input

  func input(_ octets: Data) {
    incoming.append(octets)
    parseMore()
  }

  func inputEnded() {
    isInputOver = true
    parseMore()
  }

  func passThroughInput() {
    isInputPassed = true
    parseMore()
  }

  private func parseMore() {
    guard !isParsing else { return }
    isParsing = true
    defer { isParsing = false }
    while let implementation {
      if passRest() { return }
      if isInputPassed {
        if !incoming.isEmpty { connection.inbox.append(incoming) }
        incoming = Data()
        break
      }
      let before = incoming.count
      guard before > 0, before >= needed || isInputOver else { break }
      needed = max(0, implementation.handleInput(framer: instance))
      flush()
      // Something was taken, so that more may be a message of its own.
      if incoming.count == before { break }
    }
    if isInputOver, passing == nil { connection.inbox.end() }
  }

  /// - Returns: whether octets are missing.
  private func passRest() -> Bool {
    guard let passed = passing else { return false }
    let count = min(passed.rest, incoming.count)
    let isLast = count == passed.rest
    connection.inbox.append(
      incoming.prefix(count), metadata: [passed.message], completes: isLast && passed.isComplete)
    incoming = Data(incoming.dropFirst(count))
    passing = isLast ? nil : (passed.rest - count, passed.message, passed.isComplete)
    if !isLast, isInputOver { connection.inbox.end() }
    return !isLast
  }

  func parseInput(_ minimum: Int, _ maximum: Int, _ parse: (UnsafeMutableRawBufferPointer?, Bool) -> Int) -> Bool {
    Self.parse(&incoming, minimum, maximum, isOver: isInputOver, parse)
  }

  func deliver(_ data: Data, _ message: NWProtocolFramer.Message, isComplete: Bool) {
    connection.inbox.append(data, metadata: [message], completes: isComplete)
    if !isParsing { connection.serve() }
  }

  func deliverNext(_ length: Int, _ message: NWProtocolFramer.Message, isComplete: Bool) -> Bool {
    passing = (max(0, length), message, isComplete)
    return !passRest()
  }

  // MARK: Output

  /// Lets the framer write a message.
  func output(_ octets: Data, _ context: NWConnection.ContentContext, isComplete: Bool) {
    guard let implementation, !passesOutput else {
      written += octets
      return
    }
    let given = context.protocolMetadata(definition: definition) as? NWProtocolFramer.Message
    content = octets
    isContentComplete = isComplete
    implementation.handleOutput(
      framer: instance, message: given ?? NWProtocolFramer.Message(definition: definition), messageLength: octets.count,
      isComplete: isComplete)
    content = Data()
  }

  func takeOutput() -> [UInt8] {
    defer { written = [] }
    return written
  }

  func parseOutput(_ minimum: Int, _ maximum: Int, _ parse: (UnsafeMutableRawBufferPointer?, Bool) -> Int) -> Bool {
    Self.parse(&content, minimum, maximum, isOver: isContentComplete, parse)
  }

  func write(_ data: Data) { written += data }

  func writeNext(_ length: Int) throws {
    guard length <= content.count else {
      connection.network?.phone.remark(
        .misuse, .framerWroteTooMuch, "\(definition.name) writes \(length) octets of content that has \(content.count)")
      throw NWError.posix(.EINVAL)
    }
    written += content.prefix(length)
    content = Data(content.dropFirst(length))
  }

  /// What a framer writes by itself, outside of content.
  private func flush() {
    guard !written.isEmpty, content.isEmpty else { return }
    connection.add(Outgoing(octets: takeOutput(), closes: false, completion: nil, isOfFramer: true))
  }

  private static func parse(
    _ octets: inout Data, _ minimum: Int, _ maximum: Int, isOver: Bool,
    _ parse: (UnsafeMutableRawBufferPointer?, Bool) -> Int
  ) -> Bool {
    guard octets.count >= max(minimum, 1) || isOver else { return false }
    var piece = Array(octets.prefix(maximum))
    let isLast = isOver && piece.count == octets.count
    let taken = piece.isEmpty ? parse(nil, isLast) : piece.withUnsafeMutableBytes { parse($0, isLast) }
    octets = Data(octets.dropFirst(min(max(0, taken), octets.count)))
    return true
  }
}

extension NWConnection {
  var hasFramer: Bool { framerOptions != nil }

  private var framerOptions: NWProtocolFramer.Options? {
    parameters.defaultProtocolStack.applicationProtocols.lazy.compactMap { $0 as? NWProtocolFramer.Options }.first
  }

  /// The framer of a connection that is ready below.
  func makeFramer() {
    guard let framerOptions, let run = FramerRun(framerOptions, of: self) else { return }
    framer = run
    run.start()
    frameContent()
    let octets = early
    early = []
    if !octets.isEmpty { run.input(Data(octets)) }
    if isEarlyEnd { run.inputEnded() }
  }

  /// The app's content, once the framer can take it.
  func frameContent() {
    guard let framer, framer.isReady else { return }
    let waiting = unframed
    unframed = []
    for item in waiting {
      framer.output(item.content, item.context, isComplete: item.isComplete)
      add(
        Outgoing(
          octets: framer.takeOutput(), closes: item.context.isFinal && item.isComplete, completion: item.completion))
    }
  }

  func framerIsReady() {
    guard phase == .ready else { return }
    frameContent()
    tellReady()
  }

  func framerFailed(_ error: NWError) {
    guard phase == .ready else { return }
    dropAttempt()
    fail(error)
  }
}
