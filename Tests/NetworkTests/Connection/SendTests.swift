import AppSeam
import Expectations
import Network
import SimKernel
import Testing

@Suite("Sending")
struct SendTests {
  private static let id = ConnectionID(2)

  @Test("Content from before ready waits, and goes in the order of calls")
  func before() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    equal(phone.act { watched.send([1]) }, [])
    phone.act { watched.start() }
    equal(phone.act { watched.send([2]) }, [])
    equal(phone.tell(.ready(Self.id, .infrastructure)), [.send(Self.id, octets: [1])])
    equal(phone.tell(.submitted(Self.id, accepted: true)), [.send(Self.id, octets: [2])])
  }

  @Test("contentProcessed is called once the system has taken the content, not before")
  func processed() {
    let phone = SeamPhone()
    let watched = phone.ready()
    equal(phone.act { watched.send([1, 2]) }, [.send(Self.id, octets: [1, 2])])
    equal(watched.sent, [])
    phone.tell(.submitted(Self.id, accepted: true))
    equal(watched.sent, [nil])
  }

  @Test("Content for which there is no room is kept, and sent again when there is some; the order stays")
  func backPressure() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.send([1]) }
    equal(phone.tell(.submitted(Self.id, accepted: false)), [])
    equal(phone.act { watched.send([2]) }, [])
    equal(phone.tell(.room(Self.id)), [.send(Self.id, octets: [1])])
    equal(phone.tell(.submitted(Self.id, accepted: true)), [.send(Self.id, octets: [2])])
    phone.tell(.submitted(Self.id, accepted: true))
    equal(watched.sent, [nil, nil])
  }

  @Test("A final message closes the own side after its octets")
  func final() {
    let phone = SeamPhone()
    let watched = phone.ready()
    equal(phone.act { watched.send([1], .finalMessage) }, [.send(Self.id, octets: [1])])
    equal(phone.tell(.submitted(Self.id, accepted: true)), [.finish(Self.id)])
    equal(watched.sent, [nil])
  }

  @Test(
    "Without content, a final context that is complete closes the own side; others do nothing",
    arguments: [
      (NWConnection.ContentContext.finalMessage, true, true), (.defaultStream, true, true),
      (.defaultStream, false, false), (.finalMessage, false, false), (.defaultMessage, true, false),
      (NWConnection.ContentContext(identifier: "last", isFinal: true), true, true),
    ])
  func closes(_ context: NWConnection.ContentContext, _ isComplete: Bool, _ closes: Bool) {
    let phone = SeamPhone()
    let watched = phone.ready()
    let asked = phone.act { watched.send(nil, context, isComplete: isComplete) }
    equal(asked, (closes ? [.finish(Self.id)] : []))
    equal(watched.sent, [nil])
  }

  @Test("Octets of one message in several parts are octets of the stream")
  func parts() {
    let phone = SeamPhone()
    let watched = phone.ready()
    equal(phone.act { watched.send([1], isComplete: false) }, [.send(Self.id, octets: [1])])
    equal(phone.tell(.submitted(Self.id, accepted: true)), [])
    equal(phone.act { watched.send([2]) }, [.send(Self.id, octets: [2])])
  }

  @Test("What follows a final message is dropped with EPIPE, and remarked")
  func afterFinal() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.send(nil, .finalMessage) }
    equal(phone.act { watched.send([1]) }, [])
    equal(watched.sent, [nil, .posix(.EPIPE)])
    equal(phone.remarks, ["misuse connection.send-after-end"])
  }

  @Test("On a connection that is over content is dropped with an error, and remarked", arguments: [true, false])
  func over(isCancelled: Bool) {
    let phone = SeamPhone()
    let watched = phone.ready()
    if isCancelled { phone.act { watched.connection.cancel() } }
    phone.tell(isCancelled ? .cancelled(Self.id) : .failed(Self.id, .reset))
    equal(phone.act { watched.send([1]) }, [])
    equal(watched.sent, [.posix(isCancelled ? .ECANCELED : .ENOTCONN)])
    equal(phone.remarks, ["misuse connection.send-on-ended"])
  }

  @Test("Content that waits when the connection breaks, or is cancelled, comes back with the reason")
  func unsent() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act {
      watched.send([1])
      watched.send([2])
    }
    phone.tell(.submitted(Self.id, accepted: false), .failed(Self.id, .reset))
    equal(watched.sent, [.posix(.ECONNRESET), .posix(.ECONNRESET)])
    let never = phone.connection()
    phone.act {
      never.send([3])
      never.start()
      never.connection.cancel()
    }
    phone.tell(.cancelled(ConnectionID(4)))
    equal(never.sent, [.posix(.ECANCELED)])
  }

  @Test("idempotent: it is sent, and nobody is told")
  func idempotent() {
    let phone = SeamPhone()
    let watched = phone.ready()
    let asked = phone.act { watched.connection.send(content: Data([7]), completion: .idempotent) }
    equal(asked, [.send(Self.id, octets: [7])])
    phone.tell(.submitted(Self.id, accepted: true))
    equal(watched.sent, [])
  }

  @Test("Any kind of octets is content")
  func kinds() {
    let phone = SeamPhone()
    let watched = phone.ready()
    let asked = phone.act {
      watched.connection.send(content: [UInt8(1), 2], completion: .idempotent)
      watched.connection.send(content: Data([1, 2, 3]).dropFirst(), completion: .idempotent)
    }
    equal(asked, [.send(Self.id, octets: [1, 2])])
    equal(phone.tell(.submitted(Self.id, accepted: true)), [.send(Self.id, octets: [2, 3])])
  }

  @Test("batch does what it holds in order, and the completions come after")
  func batch() {
    let phone = SeamPhone()
    let watched = phone.ready()
    let asked = phone.act {
      watched.connection.batch {
        watched.send([1])
        watched.receive()
        watched.send([2])
      }
    }
    equal(asked, [.send(Self.id, octets: [1])])
    equal(phone.tell(.submitted(Self.id, accepted: true)), [.send(Self.id, octets: [2])])
  }

  // MARK: Datagrams

  private static func datagrams() -> (SeamPhone, Watched) {
    let phone = SeamPhone()
    return (phone, phone.ready(using: .udp))
  }

  @Test("Each send of UDP is one datagram, an empty one too")
  func datagram() {
    let (phone, watched) = Self.datagrams()
    equal(phone.act { watched.send([1, 2]) }, [.send(Self.id, octets: [1, 2])])
    phone.tell(.submitted(Self.id, accepted: true))
    equal(phone.act { watched.send(nil) }, [.send(Self.id, octets: [])])
    phone.tell(.submitted(Self.id, accepted: true))
    equal(watched.sent, [nil, nil])
  }

  @Test("A datagram that is too long is EMSGSIZE; one without room is lost with ENOBUFS")
  func datagramLimits() {
    let (phone, watched) = Self.datagrams()
    equal(watched.connection.maximumDatagramSize, 1_472)
    equal(phone.act { watched.send([UInt8](repeating: 0, count: 1_473)) }, [])
    equal(watched.sent, [.posix(.EMSGSIZE)])
    equal(phone.remarks, ["misuse connection.datagram-too-long"])
    equal(phone.act { watched.send([UInt8](repeating: 0, count: 1_472)) }.count, 1)
    phone.tell(.submitted(Self.id, accepted: false))
    equal(watched.sent.last, .posix(.ENOBUFS))
    equal(SeamPhone().ready().connection.maximumDatagramSize, 0)
  }

  @Test("What TCP says of a connection: octets that wait on either side")
  func metadata() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.send([1, 2, 3]) }
    phone.tell(.received(Self.id, octets: [1, 2]))
    let metadata = watched.connection.metadata(definition: NWProtocolTCP.definition) as? NWProtocolTCP.Metadata
    expect(metadata?.availableSendBuffer == 3 && metadata?.availableReceiveBuffer == 2)
    expect(watched.connection.metadata(definition: NWProtocolUDP.definition) == nil)
  }
}
