import AppSeam
import Expectations
import Network
import SimKernel
import Testing
import VirtualRoom

@Suite("Framers of apps")
struct FramerTests {
  private static let id = ConnectionID(2)

  private static func parameters(_ definition: NWProtocolFramer.Definition) -> NWParameters {
    let parameters = NWParameters.tcp
    parameters.defaultProtocolStack.applicationProtocols.insert(NWProtocolFramer.Options(definition: definition), at: 0)
    return parameters
  }

  private static func game() -> (SeamPhone, Watched) {
    let phone = SeamPhone()
    return (phone, phone.ready(using: parameters(GameProtocol.definition)))
  }

  private static func frame(_ kind: UInt32, _ body: [UInt8]) -> [UInt8] {
    [UInt8](GameProtocol.header(kind, body.count)) + body
  }

  @Test("A message is written with its header; its metadata say which kind it is")
  func output() {
    let (phone, watched) = Self.game()
    let message = NWProtocolFramer.Message(definition: GameProtocol.definition)
    message["kind"] = UInt32(2)
    let context = NWConnection.ContentContext(identifier: "Move", metadata: [message])
    equal(phone.act { watched.send([1, 2, 3], context) }, [.send(Self.id, octets: Self.frame(2, [1, 2, 3]))])
  }

  @Test("Content from before ready is framed once it is ready")
  func early() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection(using: Self.parameters(GameProtocol.definition))
    phone.act {
      watched.send([7])
      watched.start()
    }
    equal(phone.tell(.ready(Self.id, .infrastructure)), [.send(Self.id, octets: Self.frame(0, [7]))])
  }

  @Test("Messages are the same wherever the stream is cut", arguments: 1...12)
  func input(size: Int) {
    let (phone, watched) = Self.game()
    phone.act { for _ in 0..<3 { watched.receiveMessage() } }
    let octets = Self.frame(1, [1, 2, 3]) + Self.frame(2, []) + Self.frame(3, [4])
    for start in stride(from: 0, to: octets.count, by: size) {
      phone.tell(.received(Self.id, octets: Array(octets[start..<min(start + size, octets.count)])))
    }
    equal(watched.received.map(\.octets), [[1, 2, 3], nil, [4]])
    expect(watched.received.allSatisfy { $0.isComplete && $0.error == nil })
  }

  @Test("What a framer says of a message comes with it")
  func metadata() {
    let (phone, watched) = Self.game()
    let kinds = Kinds()
    phone.act {
      watched.connection.receiveMessage { _, context, _, _ in
        let message = context?.protocolMetadata(definition: GameProtocol.definition) as? NWProtocolFramer.Message
        kinds.add(message?["kind"] as? UInt32)
      }
    }
    phone.tell(.received(Self.id, octets: Self.frame(5, [1])))
    equal(kinds.all, [5])
  }

  @Test("Parts of a message by receive; complete is the last one")
  func parts() {
    let (phone, watched) = Self.game()
    phone.act { for _ in 0..<2 { watched.receive(1, 2) } }
    phone.tell(.received(Self.id, octets: Self.frame(1, [1, 2, 3])))
    expect(watched.received.map(\.octets) == [[1, 2], [3]] && watched.received.map(\.isComplete) == [false, true])
  }

  @Test("The end of the stream is a final message without octets")
  func end() {
    let (phone, watched) = Self.game()
    phone.act { for _ in 0..<2 { watched.receiveMessage() } }
    phone.tell(.received(Self.id, octets: Self.frame(1, [1])), .ended(Self.id))
    equal(watched.received.last, .init(octets: nil, isComplete: true, isFinal: true, error: nil))
  }

  @Test("A framer that greets keeps the connection preparing; what it writes goes at once, the content later")
  func willMarkReady() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection(using: Self.parameters(GreetingProtocol.definition))
    phone.act {
      watched.start()
      watched.send(Array("abc".utf8))
    }
    equal(phone.tell(.ready(Self.id, .infrastructure)), [.send(Self.id, octets: Array("HI".utf8))])
    equal(watched.states, [.preparing])
    phone.tell(.submitted(Self.id, accepted: true))
    equal(phone.tell(.received(Self.id, octets: Array("H".utf8))), [])
    let asked = phone.tell(.received(Self.id, octets: Array("Irest".utf8)))
    equal(asked, [.send(Self.id, octets: Array("ABC".utf8))])
    equal(watched.states, [.preparing, .ready])
    // From here on octets pass.
    phone.act { watched.receive() }
    equal(watched.received.map(\.octets), [Array("rest".utf8)])
    phone.tell(.submitted(Self.id, accepted: true))
    equal(phone.act { watched.send(Array("abc".utf8)) }, [.send(Self.id, octets: Array("abc".utf8))])
  }

  @Test("A framer is told the other end; a wake-up that is named again, or never, does not come")
  func wakeups() throws {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection(using: Self.parameters(WakingProtocol.definition))
    phone.act { watched.start() }
    phone.tell(.ready(Self.id, .infrastructure))
    equal(WakingProtocol.ends.all, ["Keynote._talk._tcp.local. nil true"])
    let room = VirtualRoom(seed: 2, network: .ideal)
    _ = room.phone("host") { TalkHost(echoes: false) }
    let guest = room.phone("guest") { TalkGuest(parameters: Self.parameters(WakingProtocol.definition)) }
    try room.run(for: .seconds(10))
    expect(guest.app?.states.last == .ready && WakingProtocol.ends.all.suffix(2) == ["woken", "woken"])
  }

  @Test("A framer that gives up fails the connection with its error")
  func markFailed() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection(using: Self.parameters(GreetingProtocol.definition))
    phone.act { watched.start() }
    phone.tell(.ready(Self.id, .infrastructure))
    expect(phone.tell(.received(Self.id, octets: Array("NO".utf8))).contains(.cancel(Self.id)))
    equal(watched.states.last, .failed(.posix(.EINVAL)))
  }

  @Test("Two framers in one stack are a limit: the uppermost is used")
  func several() {
    let phone = SeamPhone()
    let parameters = Self.parameters(GameProtocol.definition)
    parameters.defaultProtocolStack.applicationProtocols.append(
      NWProtocolFramer.Options(definition: GreetingProtocol.definition))
    let watched = phone.ready(using: parameters)
    equal(phone.act { watched.send([1]) }, [.send(Self.id, octets: Self.frame(0, [1]))])
    equal(phone.remarks, ["limit network.several-framers"])
  }

  @Test("Two phones of a room play by one framer; one that hears no greeting gives up after its time")
  func room() throws {
    let room = VirtualRoom(seed: 2, network: .ideal)
    let host = room.phone("host") { TalkHost(parameters: Self.parameters(GreetingProtocol.definition)) }
    let guest = room.phone("guest") { TalkGuest(parameters: Self.parameters(GreetingProtocol.definition)) }
    try room.wait(within: .seconds(5)) { guest.app?.states.last == .ready }
    try guest.act { $0.say("hello") }
    try room.wait(within: .seconds(1)) { host.app?.received == Data("hello".utf8) }
    let other = VirtualRoom(seed: 2, network: .ideal)
    let plain = other.phone("host") { TalkHost(echoes: false) }
    let greeter = other.phone("guest") { TalkGuest(parameters: Self.parameters(GreetingProtocol.definition)) }
    try other.wait(within: .seconds(5)) { plain.app?.connections.count == 1 }
    try other.run(for: .seconds(2))
    equal(greeter.app?.states, [.preparing])
    try other.run(for: .seconds(2))
    equal(greeter.app?.states, [.preparing, .failed(.posix(.ETIMEDOUT))])
  }
}

private final class Kinds: @unchecked Sendable {
  private(set) var all: [UInt32?] = []
  func add(_ kind: UInt32?) { all.append(kind) }
}
