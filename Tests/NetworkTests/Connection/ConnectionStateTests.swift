import AppSeam
import CoreBluetooth
import Expectations
import Network
import SimKernel
import Testing

@Suite("A connection's states")
struct ConnectionStateTests {
  @Test("setup, and nothing is asked for before the start")
  func setup() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    equal(phone.act {}, [])
    expect(watched.connection.state == .setup && watched.connection.queue == nil)
  }

  @Test("preparing, ready; then it is viable")
  func ready() {
    let watched = SeamPhone().ready()
    equal(watched.events, ["preparing", "ready", "viable true"])
    expect(watched.connection.state == .ready && watched.connection.queue === watched.queue)
  }

  @Test("A second start is ignored; a connection that was cancelled cannot start")
  func startTwice() {
    let phone = SeamPhone()
    let watched = phone.ready()
    equal(phone.act { watched.start() }, [])
    equal(phone.remarks, ["misuse network.started-twice"])
    let cancelled = phone.connection()
    equal(phone.act { cancelled.connection.cancel() }, [])
    expect(cancelled.connection.state == .cancelled && cancelled.states == [])
    phone.act { cancelled.start() }
    equal(phone.remarks, ["misuse network.started-after-cancel"])
  }

  @Test("Without a path it waits, and becomes ready by itself")
  func noPath() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    phone.act { watched.start() }
    equal(phone.tell(.waiting(ConnectionID(2), .noPath)), [])
    equal(watched.states, [.preparing, .waiting(.posix(.ENETDOWN))])
    phone.tell(.ready(ConnectionID(2), .peerToPeer))
    equal(watched.states.suffix(2), [.preparing, .ready])
  }

  @Test(
    "An attempt that was refused or not answered is no failure: it waits",
    arguments: [(NetworkReason.refused, POSIXErrorCode.ECONNREFUSED), (.timedOut, .ETIMEDOUT), (.noPath, .ENETDOWN)])
  func refused(_ reason: NetworkReason, _ code: POSIXErrorCode) {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    phone.act { watched.start() }
    phone.tell(.failed(ConnectionID(2), reason))
    equal(watched.states, [.preparing, .waiting(.posix(code))])
    // Another attempt when the network changes.
    let asked = phone.tell(.pathChanged([.infrastructure]))
    equal(asked.first, .connect(ConnectionID(4), Self.request))
    equal(watched.states.last, .preparing)
    phone.tell(.ready(ConnectionID(4), .infrastructure))
    equal(watched.states.last, .ready)
  }

  private static let request = ConnectRequest(endpoint: EndpointID(0), interfaces: [.infrastructure])

  @Test("restart tries again at once where it waits, and does nothing where it is ready")
  func restart() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    phone.act { watched.start() }
    phone.tell(.failed(ConnectionID(2), .refused))
    equal(phone.act { watched.connection.restart() }, [.connect(ConnectionID(4), Self.request)])
    phone.tell(.ready(ConnectionID(4), .infrastructure))
    equal(phone.act { watched.connection.restart() }, [])
  }

  @Test(
    "A ready connection that breaks has failed, with the reason",
    arguments: [
      (NetworkReason.reset, POSIXErrorCode.ECONNRESET), (.timedOut, .ETIMEDOUT), (.interfaceOff, .ENETDOWN),
      (.reclaimed, .ECONNABORTED),
    ])
  func fails(_ reason: NetworkReason, _ code: POSIXErrorCode) {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receive() }
    phone.tell(.failed(ConnectionID(2), reason))
    equal(watched.states.last, .failed(.posix(code)))
    equal(watched.received, [.init(octets: nil, isComplete: false, isFinal: nil, error: .posix(code))])
    // It is still to be cancelled.
    phone.act { watched.connection.cancel() }
    equal(watched.states.last, .cancelled)
  }

  @Test("cancel: receives end with ECANCELED, and cancelled is the last call; a second cancel is ignored")
  func cancel() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receive() }
    equal(phone.act { watched.connection.cancel() }, [.cancel(ConnectionID(2))])
    equal(phone.act { watched.connection.cancel() }, [])
    phone.tell(.received(ConnectionID(2), octets: [1]), .cancelled(ConnectionID(2)))
    equal(watched.received.map(\.error), [.posix(.ECANCELED)])
    equal(watched.events.suffix(2), ["received 0", "cancelled"])
    equal(phone.remarks, [])
  }

  @Test("forceCancel ends it too", arguments: [true, false])
  func forceCancel(isReady: Bool) {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    phone.act { watched.start() }
    if isReady { phone.tell(.ready(ConnectionID(2), .infrastructure)) }
    equal(phone.act { watched.connection.forceCancel() }, [.cancel(ConnectionID(2))])
    phone.tell(.cancelled(ConnectionID(2)))
    equal(watched.states.last, .cancelled)
  }

  @Test("Handlers are let go of after cancelled; until then the connection lives without its app's reference")
  func lifetime() {
    let phone = SeamPhone()
    phone.findService()
    weak var weakConnection: NWConnection?
    weak var weakWitness: Witness?
    phone.act {
      let connection = NWConnection(to: SeamPhone.service, using: .tcp)
      let witness = Witness()
      connection.stateUpdateHandler = { _ in _ = witness }
      connection.start(queue: phone.queue)
      (weakConnection, weakWitness) = (connection, witness)
    }
    phone.tell(.ready(ConnectionID(2), .infrastructure))
    equal(weakConnection?.state, .ready)
    phone.act { weakConnection?.cancel() }
    phone.tell(.cancelled(ConnectionID(2)))
    phone.act {}
    expect(weakConnection == nil && weakWitness == nil)
  }

  private final class Witness: Sendable {}

  @Test("Viability and a better path are told as they change")
  func paths() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.tell(.viable(ConnectionID(2), false), .viable(ConnectionID(2), true), .betterPath(ConnectionID(2), true))
    equal(watched.viabilities, [true, false, true])
    equal(watched.betterPaths, [true])
    equal(watched.states.last, .ready)
  }

  @Test("The path of a ready connection has its interface; before there is none")
  func currentPath() {
    let phone = SeamPhone()
    phone.findService()
    let watched = phone.connection()
    phone.act { watched.start() }
    expect(watched.connection.currentPath == nil)
    phone.tell(.ready(ConnectionID(2), .peerToPeer))
    equal(watched.connection.currentPath?.availableInterfaces.map(\.name), ["awdl0"])
    equal(watched.connection.currentPath?.usesInterfaceType(.wifi), true)
    equal(watched.connection.currentPath?.remoteEndpoint, SeamPhone.service)
    equal(watched.paths.map(\.status), [.satisfied])
  }

  @Test("cancelCurrentEndpoint: there is no other address, so that it waits")
  func cancelCurrentEndpoint() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.act { watched.receive() }
    equal(phone.act { watched.connection.cancelCurrentEndpoint() }, [.cancel(ConnectionID(2))])
    equal(watched.states.last, .waiting(.posix(.ECANCELED)))
  }

  @Test("Words about a connection that is over are of nobody")
  func late() {
    let phone = SeamPhone()
    let watched = phone.ready()
    phone.tell(.failed(ConnectionID(2), .reset))
    let before = watched.events
    equal(phone.tell(.received(ConnectionID(2), octets: [1]), .viable(ConnectionID(2), false)), [])
    equal(watched.events, before)
  }

  @Test("Text: the number of the newest attempt, the endpoint, the protocols")
  func text() {
    let watched = SeamPhone().ready()
    equal(watched.connection.debugDescription, "[C2 Keynote._talk._tcp.local. tcp]")
  }
}
