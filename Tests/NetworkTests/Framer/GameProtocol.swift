import Network

/// A framing protocol as apps for games have it: a header of type and length, both UInt32 of the machine, and a body.
final class GameProtocol: NWProtocolFramerImplementation {
  static let definition = NWProtocolFramer.Definition(implementation: GameProtocol.self)
  static var label: String { "Game" }
  static let headerLength = 8

  required init(framer: NWProtocolFramer.Instance) {}
  func start(framer: NWProtocolFramer.Instance) -> NWProtocolFramer.StartResult { .ready }
  func wakeup(framer: NWProtocolFramer.Instance) {}
  func stop(framer: NWProtocolFramer.Instance) -> Bool { true }
  func cleanup(framer: NWProtocolFramer.Instance) {}

  func handleOutput(
    framer: NWProtocolFramer.Instance, message: NWProtocolFramer.Message, messageLength: Int, isComplete: Bool
  ) {
    let kind = message["kind"] as? UInt32 ?? 0
    framer.writeOutput(data: Self.header(kind, messageLength))
    do { try framer.writeOutputNoCopy(length: messageLength) } catch { framer.markFailed(error: nil) }
  }

  static func header(_ kind: UInt32, _ length: Int) -> Data {
    [kind, UInt32(length)].reduce(into: Data()) { data, word in
      withUnsafeBytes(of: word) { data.append(contentsOf: $0) }
    }
  }

  func handleInput(framer: NWProtocolFramer.Instance) -> Int {
    while true {
      var header: (kind: UInt32, length: Int)?
      let isParsed = framer.parseInput(
        minimumIncompleteLength: Self.headerLength, maximumLength: Self.headerLength
      ) { buffer, _ in
        guard let buffer, buffer.count == Self.headerLength else { return 0 }
        header = (buffer.loadUnaligned(as: UInt32.self), Int(buffer.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        return Self.headerLength
      }
      guard isParsed, let header else { return Self.headerLength }
      let message = NWProtocolFramer.Message(instance: framer)
      message["kind"] = header.kind
      if !framer.deliverInputNoCopy(length: header.length, message: message, isComplete: true) { return 0 }
    }
  }
}

/// One that greets first: content waits until the other end's greeting has come.
final class GreetingProtocol: NWProtocolFramerImplementation {
  static let definition = NWProtocolFramer.Definition(implementation: GreetingProtocol.self)
  static var label: String { "Greeting" }
  private var isGreeted = false

  required init(framer: NWProtocolFramer.Instance) {}
  func start(framer: NWProtocolFramer.Instance) -> NWProtocolFramer.StartResult {
    framer.writeOutput(data: Data("HI".utf8))
    framer.scheduleWakeup(wakeupTime: .milliseconds(3_000))
    return .willMarkReady
  }
  func wakeup(framer: NWProtocolFramer.Instance) {
    if !isGreeted { framer.markFailed(error: .posix(.ETIMEDOUT)) }
  }
  func stop(framer: NWProtocolFramer.Instance) -> Bool { true }
  func cleanup(framer: NWProtocolFramer.Instance) {}

  func handleOutput(
    framer: NWProtocolFramer.Instance, message: NWProtocolFramer.Message, messageLength: Int, isComplete: Bool
  ) {
    // Capital letters, by a look at the content.
    _ = framer.parseOutput(minimumIncompleteLength: messageLength, maximumLength: messageLength) { buffer, _ in
      guard let buffer else { return 0 }
      framer.writeOutput(data: Array(String(decoding: buffer, as: UTF8.self).uppercased().utf8))
      return buffer.count
    }
  }

  func handleInput(framer: NWProtocolFramer.Instance) -> Int {
    if !isGreeted {
      let isParsed = framer.parseInput(minimumIncompleteLength: 2, maximumLength: 2) { buffer, _ in
        self.isGreeted = buffer.map { String(decoding: $0, as: UTF8.self) == "HI" } ?? false
        return 2
      }
      guard isParsed else { return 2 }
      guard isGreeted else {
        framer.markFailed(error: .posix(.EINVAL))
        return 0
      }
      framer.markReady()
    }
    framer.passThroughInput()
    framer.passThroughOutput()
    return 0
  }
}

/// One that wakes up twice, and then never again.
final class WakingProtocol: NWProtocolFramerImplementation {
  static let definition = NWProtocolFramer.Definition(implementation: WakingProtocol.self)
  static var label: String { "Waking" }
  static let ends = Words()
  private var wakeups = 0

  required init(framer: NWProtocolFramer.Instance) {
    let local = framer.local.map { "\($0)" } ?? "nil"
    Self.ends.add("\(framer.remote?.debugDescription ?? "nil") \(local) \(framer.parameters != nil)")
  }
  func start(framer: NWProtocolFramer.Instance) -> NWProtocolFramer.StartResult {
    framer.scheduleWakeup(wakeupTime: .milliseconds(1_000))
    framer.scheduleWakeup(wakeupTime: .milliseconds(2_000))
    return .ready
  }
  func wakeup(framer: NWProtocolFramer.Instance) {
    Self.ends.add("woken")
    wakeups += 1
    framer.scheduleWakeup(wakeupTime: .milliseconds(1))
    if wakeups > 1 { framer.scheduleWakeup(wakeupTime: .forever) }
  }
  func stop(framer: NWProtocolFramer.Instance) -> Bool { true }
  func cleanup(framer: NWProtocolFramer.Instance) {}
  func handleOutput(
    framer: NWProtocolFramer.Instance, message: NWProtocolFramer.Message, messageLength: Int, isComplete: Bool
  ) {}
  func handleInput(framer: NWProtocolFramer.Instance) -> Int { 0 }
}

final class Words: @unchecked Sendable {
  private(set) var all: [String] = []
  func add(_ word: String) { all.append(word) }
}
