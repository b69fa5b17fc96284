import AppSeam
import Expectations
import Network
import SimKernel
import Testing

@Suite("Receiving")
struct ReceiveTests {
  private typealias Received = Watched.Received
  private static let id = ConnectionID(2)

  private static func octets(_ octets: [UInt8]) -> Received {
    Received(octets: octets, isComplete: false, isFinal: false, error: nil)
  }

  @Test("It waits for the least, and has at most the most; the rest is for the next call")
  func limits() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receive(3, 4) }
    phone.tell(.received(Self.id, octets: [1, 2]))
    equal(watched.received, [])
    phone.tell(.received(Self.id, octets: [3, 4, 5]))
    equal(watched.received, [Self.octets([1, 2, 3, 4])])
    phone.act { watched.receive(1, 9) }
    equal(watched.received.last, Self.octets([5]))
  }

  @Test("Octets that have come before the call are there at once, in one piece")
  func buffered() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.tell(.received(Self.id, octets: [1]), .received(Self.id, octets: [2]))
    phone.act { watched.receive() }
    equal(watched.received, [Self.octets([1, 2])])
  }

  @Test("Each call has one answer, in the order of calls; a call from before ready too")
  func order() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    phone.act {
      watched.receive(2, 2)
      watched.start()
      watched.receive(1, 1)
    }
    phone.tell(.ready(Self.id, .infrastructure), .received(Self.id, octets: [1, 2, 3, 4]))
    equal(watched.received, [Self.octets([1, 2]), Self.octets([3])])
  }

  @Test("The other end's FIN: isComplete with a final context, and no octets")
  func end() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receive() }
    phone.tell(.ended(Self.id))
    equal(watched.received, [Received(octets: nil, isComplete: true, isFinal: true, error: nil)])
    equal(watched.states.last, .ready)
  }

  @Test("Octets before the FIN come with it where they wait, also fewer than the least")
  func endWithOctets() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receive(4, 10) }
    phone.tell(.received(Self.id, octets: [1, 2]), .ended(Self.id))
    equal(watched.received, [Received(octets: [1, 2], isComplete: true, isFinal: true, error: nil)])
  }

  @Test("More octets than the most before the FIN: complete is the last part")
  func endInParts() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.tell(.received(Self.id, octets: [1, 2, 3]), .ended(Self.id))
    phone.act {
      watched.receive(1, 2)
      watched.receive(1, 2)
    }
    equal(
      watched.received,
      [
        Self.octets([1, 2]), Received(octets: [3], isComplete: true, isFinal: true, error: nil),
      ])
  }

  @Test("After the end there is ENODATA")
  func afterEnd() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.tell(.ended(Self.id))
    phone.act {
      watched.receive()
      watched.receive()
    }
    equal(watched.received.map(\.error), [nil, .posix(.ENODATA)])
  }

  @Test("The own side stays open after the other end's FIN")
  func halfClosed() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.tell(.ended(Self.id))
    equal(phone.act { watched.send([1]) }, [.send(Self.id, octets: [1])])
  }

  @Test("receiveMessage of a stream is the whole stream")
  func wholeStream() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receiveMessage() }
    phone.tell(.received(Self.id, octets: [1]), .received(Self.id, octets: [2]))
    equal(watched.received, [])
    phone.tell(.ended(Self.id))
    equal(watched.received, [Received(octets: [1, 2], isComplete: true, isFinal: true, error: nil)])
  }

  @Test("A datagram is a message, for both ways to receive, an empty one too")
  func datagrams() {
    let phone = SeamPhone()
    let watched = phone.ready(using: .udp)
    phone.act {
      watched.receiveMessage()
      watched.receive(1, 100)
      watched.receiveMessage()
    }
    phone.tell(
      .received(Self.id, octets: [1, 2]), .received(Self.id, octets: [3]), .received(Self.id, octets: []))
    equal(
      watched.received,
      [[1, 2], [3], []].map {
        Received(octets: $0, isComplete: true, isFinal: false, error: nil)
      })
  }

  @Test("A datagram that is longer than the most comes in parts")
  func longDatagram() {
    let phone = SeamPhone()
    let watched = phone.ready(using: .udp)
    phone.tell(.received(Self.id, octets: [1, 2, 3]))
    phone.act {
      watched.receive(1, 2)
      watched.receive(1, 2)
    }
    equal(
      watched.received,
      [
        Self.octets([1, 2]), Received(octets: [3], isComplete: true, isFinal: false, error: nil),
      ])
  }

  @Test("An app that does not receive fills its buffer, and the system reads no more until it does")
  func backPressure() {
    let phone = SeamPhone()
    let watched = phone.ready()
    let piece = [UInt8](repeating: 7, count: 40_000)
    equal(phone.tell(.received(Self.id, octets: piece)), [])
    equal(phone.tell(.received(Self.id, octets: piece)), [.read(Self.id, false)])
    equal(phone.act { watched.receive(1, 10_000) }, [])
    equal(phone.act { watched.receive(1, 65_536) }, [.read(Self.id, true)])
    equal(watched.received.map { $0.octets?.count }, [10_000, 65_536])
  }

  @Test("On a connection that is over there is an error", arguments: [true, false])
  func over(isCancelled: Bool) {
    let phone = SeamPhone()
    let watched = phone.ready()
    if isCancelled { phone.act { watched.connection.cancel() } }
    phone.tell(isCancelled ? .cancelled(Self.id) : .failed(Self.id, .reset))
    phone.act { watched.receive() }
    equal(watched.received.last?.error, .posix(isCancelled ? .ECANCELED : .ENOTCONN))
  }

  @Test("Limits that cannot be are remarked; at least one octet is waited for")
  func wrongLimits() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receive(5, 2) }
    equal(phone.remarks, ["misuse connection.receive-limits"])
    phone.act { watched.receive(0, 5) }
    phone.tell(.received(Self.id, octets: [1, 2, 3]))
    equal(watched.received, [Self.octets([1, 2]), Self.octets([3])])
    equal(phone.remarks, [])
  }
}
