import AppSeam
import BeamScribe
import CaptureCheck
import SimKernel

/// One connection on which BeamScribe is spoken, while its story is told.
struct BeamWire {
  let connection: BeamConnection
  let hostDevice: Int
  let guestDevice: Int
  /// The numbers of its ends.
  let hostID: ConnectionID
  let guestID: ConnectionID

  var isReady = false
  var isGuestOver = false
  var isHostOver = false

  // What the host sends
  /// Frames are looked for from here on; nil: where they begin is known.
  var search: (octets: [UInt8], from: Int)?
  private var hostReader: FrameReader
  /// Octets that are no frames came; nothing of the side is read after them.
  var isHostBroken = false
  /// What was sent and has not arrived yet; `isNew`: what came before it is not known.
  var underWay: [(end: Int, octets: [UInt8], isNew: Bool)] = []
  /// The offset of the host's next octet.
  var next = 0
  /// Octets of the host are missing from all captures.
  var hasGap = false
  /// Instants at which it sent octets.
  var sentAt: [SimInstant] = []

  // What the guest is told
  private var guestReader: FrameReader
  var story = GuestStory.Stream()
  /// The host has sent all: the guest is told when the rest of it is there.
  var endsWhenEmpty = false
  /// What it must not take has arrived at its end, and when.
  var badAtGuest: (octets: [UInt8], at: SimInstant)?
  /// The same at the host.
  var badAtHost: (octets: [UInt8], at: SimInstant)?
  var isGuestBroken = false
  /// Octets of the guest under way.
  var fromGuest: [(end: Int, octets: [UInt8])] = []

  init(_ connection: BeamConnection, host: Int, guest: Int, place: Int) {
    self.connection = connection
    hostDevice = host
    guestDevice = guest
    hostID = ConnectionID(2 * place + 1)
    guestID = ConnectionID(2 * place)
    hostReader = FrameReader(connection.format, limit: Bounds.plausibleFrame)
    guestReader = FrameReader(connection.format, limit: BeamLimits.body)
    if !connection.isHostFromStart { search = ([], 0) }
  }

  /// Octets of the host are missing: frames are to be found again.
  mutating func lose() {
    hasGap = true
    search = ([], 0)
    hostReader = FrameReader(connection.format, limit: Bounds.plausibleFrame)
    isHostBroken = false
  }

  /// Takes octets of the host. - Returns: those that are judged, where frames are known to begin; whether they begin
  /// again there.
  mutating func find(_ octets: [UInt8]) -> (octets: [UInt8], isNew: Bool)? {
    guard var looked = search else { return (octets, false) }
    search = nil
    looked.octets += octets
    switch FrameFinder.find(in: looked.octets, connection.dialect, from: looked.from) {
    case .found(let place): return (Array(looked.octets[place...]), true)
    case .needsMore(let place):
      // Nothing that is as long is a frame.
      let surplus = looked.octets.count - place > FrameFinder.longest ? place + 1 : place
      search = (surplus == 0 ? looked.octets : Array(looked.octets[surplus...]), 0)
      return nil
    }
  }

  /// The packets that octets of the host complete.
  mutating func packetsSent(_ octets: [UInt8]) -> [BeamPacket] {
    Self.packets(octets, &hostReader, isBroken: &isHostBroken)
  }

  /// A frame of the host has begun, or may have.
  var isWithinFrame: Bool { search != nil || hostReader.isWithinFrame }

  /// The packets that octets complete for the guest.
  mutating func packetsReceived(_ octets: [UInt8]) -> [BeamPacket] {
    Self.packets(octets, &guestReader, isBroken: &isGuestBroken)
  }

  /// The guest is told octets without what came before them.
  mutating func loseReceived() {
    guestReader = FrameReader(connection.format, limit: BeamLimits.body)
    isGuestBroken = false
    story.lose()
  }

  private static func packets(_ octets: [UInt8], _ reader: inout FrameReader, isBroken: inout Bool) -> [BeamPacket] {
    var rest = octets[...]
    var packets: [BeamPacket] = []
    while !isBroken {
      do throws(FrameRefusal) {
        guard let frame = try reader.next(&rest) else { break }
        guard frame.kind == .message else { continue }
        if let packet = try? BeamPacket(decoding: frame.body) { packets.append(packet) } else { isBroken = true }
      } catch {
        isBroken = true
      }
    }
    return packets
  }
}
