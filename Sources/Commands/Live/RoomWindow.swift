import Bench
import Conformance
import HCIPorts
import RunReports
import RunViews
import SimKernel
import VirtualRadio

/// The page of a session that runs (`--page`): what it shows is handed over while somebody looks at it.
struct RoomWindow {
  /// How often, by the wall clock.
  static let interval = SimDuration.milliseconds(200)

  let board: RoomBoard
  let air: LiveAir
  private let server: ViewServer

  /// Serves at once.
  /// - Parameter path: of the session's folder; nil: it has none.
  init(_ plan: LivePlan, port: Int, path: String?) throws {
    board = RoomBoard(title: plan.scenario.name)
    air = LiveAir(of: protocols.spoken(in: plan.scenario))
    server = try ViewServer(room: board, path: path, port: port)
  }

  var address: String { "http://127.0.0.1:\(server.port)/" }

  func show(_ session: LiveSession, _ status: LiveStatus) {
    air.isWatched = board.isWatched
    guard air.isWatched else { return }
    let standings = session.standings
    // Devices that are gone leave holes, so that indices stay those of packets.
    var places: [RoomBoard.Place] = []
    var shown = [Int](repeating: -1, count: (standings.last?.device ?? -1) + 1)
    for standing in standings {
      shown[standing.device] = places.count
      places.append(
        RoomBoard.Place(
          name: standing.name, about: standing.phone + (standing.isExternal ? ", external host" : ""),
          x: standing.position.x, y: standing.position.y, isOnAir: standing.isOnAir))
    }
    func place(_ device: Int) -> Int { shown.indices.contains(device) ? shown[device] : -1 }
    board.write(
      now: status.now.map { "\($0) s" } ?? "time has not begun", places: places,
      links: session.links.map { (place($0.central), place($0.peripheral)) },
      packets: air.take().map { pdu in
        RoomBoard.Packet(
          number: pdu.number, seconds: "\(pdu.start)", from: place(pdu.transmitter), to: place(pdu.receiver),
          fate: Self.word(pdu.fate), rfChannel: pdu.rfChannel, words: pdu.words)
      })
  }

  private static func word(_ fate: RunTimeline.PDU.Fate) -> String {
    switch fate {
    case .received: "received"
    case .corrupted: "corrupted"
    default: "unheard"
    }
  }

  /// Once the session is over; a browser that looks hears of that.
  func close() {
    board.close()
    server.stop()
  }
}
