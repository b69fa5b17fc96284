import AppSeam
import SimKernel

/// One end of a stream, with what measures need of it.
final class MeasuredStream {
  let id: ConnectionID
  /// Nil: it was not asked for, somebody else opened it.
  let begun: SimInstant?
  /// Nil until it is ready.
  fileprivate(set) var interface: NetworkInterface?
  /// The end at the other device, once both are known.
  fileprivate(set) weak var partner: MeasuredStream?
  /// The device at the other end; −1: not known.
  fileprivate(set) var peer = -1
  /// The app at this end ended it.
  var isEndedByOrder = false
  /// Since when the platform has taken no more octets; nil: it takes them.
  var fullSince: SimInstant?

  /// Octets that were handed over and are not answered yet, oldest first.
  private var offers: [(octets: Int, at: SimInstant)] = []
  /// Octets that the platform took, up to which one, and since when they are on their way; oldest first, from `head`
  /// on.
  private var underWay: [(upTo: Int, at: SimInstant)] = []
  private var head = 0
  private var taken = 0
  private var arrived = 0

  /// More are not remembered.
  private static let limit = 4_096

  fileprivate init(_ id: ConnectionID, begun: SimInstant?) {
    self.id = id
    self.begun = begun
  }

  func offer(_ octets: Int, at now: SimInstant) { offers.append((octets, now)) }

  /// The platform's word on the oldest octets that were handed over.
  func answer(_ isTaken: Bool, at now: SimInstant) {
    guard !offers.isEmpty else { return }
    let offer = offers.removeFirst()
    if isTaken {
      taken += offer.octets
      underWay.append((taken, offer.at))
      if underWay.count - head > Self.limit { head += 1 }
    } else if fullSince == nil {
      fullSince = now
    }
  }

  /// Octets of this end have come to the app at the other one.
  /// - Parameter note: is told since when each part that is there now was on its way.
  func arrive(_ octets: Int, note: (SimInstant) -> Void) {
    arrived += octets
    while head < underWay.count, underWay[head].upTo <= arrived {
      note(underWay[head].at)
      head += 1
    }
    if head * 2 > underWay.count {
      underWay.removeFirst(head)
      head = 0
    }
  }
}

/// All streams of a run that are under way.
struct MeasuredStreams {
  private let names: [String]
  /// By device.
  private var ends: [[MeasuredStream]]
  /// Whether there was any.
  private(set) var haveBeen = false
  /// Ends that failed without an order of the app at either end.
  private(set) var lost: Int64 = 0

  /// - Parameter names: of the devices, as the network calls them.
  init(_ names: [String] = []) {
    self.names = names
    ends = names.map { _ in [] }
  }

  subscript(id: ConnectionID, device: Int) -> MeasuredStream? { ends[device].last { $0.id == id } }

  /// An app asks for a stream.
  mutating func begin(_ id: ConnectionID, of device: Int, at now: SimInstant) {
    ends[device].append(MeasuredStream(id, begun: now))
  }

  /// - Returns: when the app asked for it; nil: it did not, or it was ready already.
  mutating func ready(_ id: ConnectionID, of device: Int, _ interface: NetworkInterface) -> SimInstant? {
    haveBeen = true
    guard let stream = self[id, device], stream.interface == nil else { return nil }
    stream.interface = interface
    return stream.begun
  }

  /// Somebody else opened a stream; the end there is ready before this one.
  mutating func incoming(_ id: ConnectionID, of device: Int, _ interface: NetworkInterface, peer: String) {
    haveBeen = true
    let stream = MeasuredStream(id, begun: nil)
    stream.interface = interface
    ends[device].append(stream)
    guard let other = names.firstIndex(of: peer),
      let partner = ends[other].last(where: { $0.begun != nil && $0.partner == nil && $0.interface == interface })
    else { return }
    (stream.peer, stream.partner) = (other, partner)
    (partner.peer, partner.partner) = (device, stream)
  }

  mutating func cancel(_ id: ConnectionID, of device: Int) {
    guard let stream = self[id, device] else { return }
    stream.isEndedByOrder = true
    // What the other end is told comes later, and knows of the order by then.
    stream.partner?.isEndedByOrder = true
  }

  mutating func fail(_ id: ConnectionID, of device: Int) {
    guard let stream = self[id, device] else { return }
    if stream.interface != nil, !stream.isEndedByOrder, stream.partner?.isEndedByOrder != true { lost += 1 }
    forget(id, of: device)
  }

  mutating func forget(_ id: ConnectionID, of device: Int) { ends[device].removeAll { $0.id == id } }

  /// The app is gone.
  mutating func endAll(of device: Int) {
    for stream in ends[device] { stream.partner?.isEndedByOrder = true }
    ends[device] = []
  }
}
