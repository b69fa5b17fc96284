import Judging
import Synchronization

/// What a browser is shown of a room that lives: written by the thread of the room, read by that of the server.
package final class RoomBoard: Sendable {
  /// Packets that are kept for browsers that come late, or were away for a moment.
  static let packetLimit = 512
  /// How long after a request somebody is taken to be watching.
  private static let attention = ContinuousClock.Duration.seconds(3)

  /// One packet, as it passed.
  package struct Packet: Sendable {
    /// From 1, in the order in which they passed.
    package var number: Int
    package var seconds: String
    /// Index of a device.
    package var from: Int
    /// −1: nobody in particular.
    package var to: Int
    /// `received`, `corrupted` or `unheard`.
    package var fate: String
    package var rfChannel: Int
    package var words: String

    package init(
      number: Int, seconds: String, from: Int, to: Int, fate: String, rfChannel: Int, words: String
    ) {
      self.number = number
      self.seconds = seconds
      self.from = from
      self.to = to
      self.fate = fate
      self.rfChannel = rfChannel
      self.words = words
    }
  }

  /// One device, where it is now.
  package struct Place: Sendable {
    package var name: String
    package var about: String
    /// Centimetres.
    package var x: Int
    package var y: Int
    package var isOnAir: Bool

    package init(name: String, about: String, x: Int, y: Int, isOnAir: Bool) {
      self.name = name
      self.about = about
      self.x = x
      self.y = y
      self.isOnAir = isOnAir
    }
  }

  private struct State {
    var asked: ContinuousClock.Instant?
    /// The time, and how it passes.
    var now = ""
    var places: [Place] = []
    var links: [(Int, Int)] = []
    var packets: [Packet] = []
    var isOver = false
  }

  private let state = Mutex(State())
  /// What the page is called.
  let title: String

  package init(title: String) { self.title = title }

  /// Whether it is worth it to write something.
  package var isWatched: Bool {
    state.withLock { $0.asked.map { ContinuousClock.now - $0 < Self.attention } ?? false }
  }

  /// How the room is now, and what has passed since the last time.
  package func write(now: String, places: [Place], links: [(Int, Int)], packets: [Packet]) {
    state.withLock { state in
      state.now = now
      state.places = places
      state.links = links
      state.packets += packets
      if state.packets.count > Self.packetLimit { state.packets.removeFirst(state.packets.count - Self.packetLimit) }
    }
  }

  /// The room is over: nothing is written any more.
  package func close() { state.withLock { $0.isOver = true } }

  /// The room as JSON, with the packets after a number.
  func octets(since number: Int) -> [UInt8] {
    let state = state.withLock { state in
      state.asked = .now
      return state
    }
    var text = JSONText(capacity: 16 << 10)
    text.beginObject()
    text.member("now", state.now)
    text.member("over", state.isOver)
    text.objects("devices", state.places) { text, place in
      text.member("name", place.name)
      text.member("about", place.about)
      text.member("x", place.x)
      text.member("y", place.y)
      text.member("on", place.isOnAir)
    }
    text.list("links", state.links) { text, link in
      text.beginArray()
      text.value(link.0)
      text.value(link.1)
      text.endArray()
    }
    text.objects("packets", state.packets.filter { $0.number > number }) { text, packet in
      text.member("n", packet.number)
      text.member("t", packet.seconds)
      text.member("from", packet.from)
      text.member("to", packet.to)
      text.member("fate", packet.fate)
      text.member("channel", packet.rfChannel)
      text.member("words", packet.words)
    }
    text.endObject()
    return text.octets
  }
}
