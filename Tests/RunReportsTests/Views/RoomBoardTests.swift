import Expectations
import Foundation
import Testing

@testable import RunViews

@Suite("A room that lives, in a browser")
struct RoomBoardTests {
  private func packet(_ number: Int) -> RoomBoard.Packet {
    RoomBoard.Packet(
      number: number, seconds: "1.0", from: 0, to: 1, fate: "received", rfChannel: 37, words: "“ADV_IND” <b>")
  }

  private func board(_ numbers: ClosedRange<Int>) -> RoomBoard {
    let board = RoomBoard(title: "a room")
    board.write(
      now: "1.0 s", places: [.init(name: "host", about: "ideal", x: 0, y: 20, isOnAir: true)], links: [(0, 1)],
      packets: numbers.map(packet))
    return board
  }

  private func numbers(_ octets: [UInt8]) throws -> [Int] {
    let room = try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any]
    return (room?["packets"] as? [[String: Any]] ?? []).compactMap { $0["n"] as? Int }
  }

  @Test("A browser gets what has passed after what it has, and no more than is kept")
  func since() throws {
    let board = board(1...600)
    try equal(numbers(board.octets(since: 598)), [599, 600])
    try equal(numbers(board.octets(since: 600)), [])
    try equal(numbers(board.octets(since: 0)).count, RoomBoard.packetLimit)
  }

  @Test("Nobody watches until a browser has asked")
  func watched() {
    let board = board(1...1)
    expect(!board.isWatched)
    _ = board.octets(since: 0)
    expect(board.isWatched)
  }

  @Test("A server of a room shows its page, its script and its state, and nothing of a folder that is not there")
  func served() async throws {
    let server = try ViewServer(room: board(1...2), path: nil, port: 0)
    defer { server.stop() }
    func get(_ path: String) async throws -> (status: Int, text: String) {
      let answer = try await ViewServerTests.get("http://127.0.0.1:\(server.port)\(path)")
      return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }
    let page = try await get("/")
    expect(page.status == 200 && page.text.contains("<title>a room</title>") && page.text.contains("/-/room.js"))
    expect(!page.text.contains("timeline.html"))
    try await equal(get("/-/room").status, 200)
    let script = try await get("/-/room.js").text
    expect(script.contains("room.json?since="))
    let state = try await get("/-/room.json?since=1").text
    expect(state.contains("\"n\":2") && !state.contains("\"n\":1"))
    try await equal(get("/files/x.html").status, 404)
  }

  @Test("Numbers of a request are read as far as they are numbers")
  func requests() {
    func request(_ target: String) -> ViewRequest {
      ViewRequest(method: "GET", target: target, host: "127.0.0.1:80", port: 80)
    }
    equal(request("/-/room.json?since=12"), .roomState(since: 12))
    for target in ["/-/room.json", "/-/room.json?since=x", "/-/room.json?since=-4", "/-/room.json?a=1"] {
      equal(request(target), .roomState(since: 0))
    }
    equal(request("/-/room"), .room)
  }
}
