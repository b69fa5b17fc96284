import AppSeam
import BeamScribe
import Bench
import CaptureCheck
import Conformance
import SimKernel

/// Tells what captures show as the records that oracles read.
///
/// What leaves an end and what comes to the other are inputs and effects. What a host has spoken and raised is inferred
/// from what it sends to anybody (`HostStory`), what a guest shows from what comes to it (`GuestStory`). No engine
/// runs: a judge must not depend on what it judges.
final class BeamStory {
  let cast: BeamCast
  let connections: [BeamConnection]
  private let reader: OracleReader
  let state: BeamRunState
  var wires: [BeamWire]
  /// By connection: what its host has sent on it.
  var hostStreams: [HostStory.Stream]
  var hosts: [HostStory]
  var guests: [GuestStory]
  private var isThere: [Bool]
  /// When things were first sent, with the packet that did it.
  var landmarks: [(instant: SimInstant, place: PacketPlace)] = []
  /// Bad frames of which nobody knows whether their receiver has read them.
  private(set) var undecidedBadFrames = 0
  private var latest = SimInstant.zero

  init(
    _ moments: [BeamMoment], _ connections: [BeamConnection], _ cast: BeamCast, _ reader: OracleReader,
    _ state: BeamRunState
  ) {
    self.connections = connections
    self.cast = cast
    self.reader = reader
    self.state = state
    wires = connections.enumerated().map {
      BeamWire($0.element, host: cast.hosts[$0.offset], guest: cast.guests[$0.offset], place: $0.offset)
    }
    let addresses = connections.map(\.hostEnd.address)
    hostStreams = addresses.map { address in
      var stream = HostStory.Stream()
      stream.path = addresses.firstIndex(of: address) ?? 0
      return stream
    }
    hosts = cast.header.devices.map { _ in HostStory() }
    guests = cast.header.devices.map { _ in GuestStory() }
    isThere = cast.header.devices.map { _ in false }
    state.attemptSlack = Bounds.leavesInCapture
    state.isFromStart = { _, id in
      let place = id.rawValue / 2
      return !connections.indices.contains(place) || connections[place].isFromStart
    }
    for moment in moments { tell(moment) }
  }

  private func tell(_ moment: BeamMoment) {
    let place = moment.connection
    switch moment.kind {
    case .news:
      // A browser may have found something, or lost it: whatever guest looks for it.
      for guest in cast.header.devices.indices where cast.header.devices[guest].role == .beamGuest {
        add(.input(.network(.lost(EndpointID(0)))), guest, moment)
      }
    case .attempt:
      arrive(wires[place].guestDevice, moment)
      let request = ConnectRequest(endpoint: EndpointID(0), interfaces: [.infrastructure])
      add(.effect(.network(.connect(wires[place].guestID, request))), wires[place].guestDevice, moment)
    case .attemptOver:
      add(.effect(.network(.cancel(wires[place].guestID))), wires[place].guestDevice, moment)
    case .ready: ready(place, moment)
    case .hostSilent: endHost(place, moment, .input(.network(.failed(wires[place].hostID, .timedOut))))
    case .guestSilent:
      if wires[place].isGuestOver { return }
      endGuest(place, moment, .failed(wires[place].guestID, .timedOut))
      // When its guest noticed is not known, so that no wait is counted from here.
      add(.input(.network(.lost(EndpointID(0)))), wires[place].guestDevice, moment)
    case .event(let event): tell(event, place, moment)
    }
  }

  private func tell(_ event: StreamEndEvent.Kind, _ place: Int, _ moment: BeamMoment) {
    let connection = connections[place]
    switch event {
    case .opened: break
    case .sent(let side, let offset, let octets):
      if side == connection.host {
        sent(octets, at: offset, place, moment)
      } else {
        saidByGuest(octets, at: offset, place, moment)
      }
    case .arrived(let side, let upTo):
      if side == connection.host {
        arrived(upTo, place, moment)
      } else {
        cameFromGuest(upTo, place, moment)
      }
    case .gap(let side, _, _, _):
      if side == connection.host { lose(place) }
    case .finished(let side):
      if side == connection.host {
        let isFrame = wires[place].isWithinFrame
        endHost(
          place, moment, .effect(.network(isFrame ? .cancel(wires[place].hostID) : .finish(wires[place].hostID))))
        wires[place].endsWhenEmpty = true
        endGuestWhenEmpty(place, moment)
      } else {
        cancelGuest(place, moment)
        endHost(place, moment, .input(.network(.ended(wires[place].hostID))))
      }
    case .ended(_, .reset(let side)):
      let isByHost = side == connection.host
      if isByHost {
        endHost(place, moment, .effect(.network(.cancel(wires[place].hostID))))
        endGuest(place, moment, .failed(wires[place].guestID, .reset))
      } else {
        cancelGuest(place, moment)
        endHost(place, moment, .input(.network(.failed(wires[place].hostID, .reset))))
      }
    case .ended: break
    }
  }

  func add(_ event: TraceEvent, _ device: Int, _ moment: BeamMoment) {
    latest = max(latest, moment.instant)
    reader.read(TraceRecord(sequence: moment.place.record, instant: latest, device: device, event: event))
  }

  func add(_ report: BeamReport, _ device: Int, _ moment: BeamMoment) {
    add(.report(AppReport(report)), device, moment)
  }

  func add(_ action: BeamAction, _ device: Int, _ moment: BeamMoment) {
    add(.input(.user(AppAction(action))), device, moment)
  }

  // MARK: Beginnings and ends

  /// A device is first seen.
  private func arrive(_ device: Int, _ moment: BeamMoment) {
    if isThere[device] { return }
    isThere[device] = true
    add(cast.header.devices[device].role == .beamHost ? .startEvent(name: "") : .join, device, moment)
  }

  private func ready(_ place: Int, _ moment: BeamMoment) {
    let wire = wires[place]
    arrive(wire.guestDevice, moment)
    arrive(wire.hostDevice, moment)
    wires[place].isReady = true
    add(.input(.network(.ready(wire.guestID, .infrastructure))), wire.guestDevice, moment)
    let peer = cast.header.devices[wire.guestDevice].name
    add(.input(.network(.incoming(wire.hostID, .infrastructure, peer: peer))), wire.hostDevice, moment)
    if let host = state.devices[wire.hostDevice].stream(wire.hostID), wire.search != nil { host.loseSent() }
    if isRefusedAtOnce(place) { endHost(place, moment, .effect(.network(.cancel(wire.hostID)))) }
  }

  /// Nothing was sent on it, and it was over, or heard of no more, before its gate had to be open: nothing shows that
  /// it was taken.
  private func isRefusedAtOnce(_ place: Int) -> Bool {
    let connection = connections[place]
    let start = connection.takenAt
    let last = [connection.guestHeard.last, connection.overAt].compactMap(\.self).min() ?? start
    let saysNothing = connection.connection.tracks.allSatisfy {
      !$0.hasOctets(from: connection.connection.side(connection.host, in: $0))
    }
    return saysNothing && last - start < Bounds.gate + Bounds.arrives
  }

  private func endHost(_ place: Int, _ moment: BeamMoment, _ event: TraceEvent) {
    guard wires[place].isReady, !wires[place].isHostOver else { return }
    wires[place].isHostOver = true
    hostStreams[place].isOver = true
    end(wires[place].hostDevice, wires[place].hostID, after: wires[place].badAtHost, moment, event)
  }

  func endGuestWhenEmpty(_ place: Int, _ moment: BeamMoment) {
    guard wires[place].endsWhenEmpty, wires[place].underWay.isEmpty else { return }
    endGuest(place, moment, .ended(wires[place].guestID))
  }

  private func endGuest(_ place: Int, _ moment: BeamMoment, _ input: NetworkInput) {
    endGuest(place, moment, .input(.network(input)))
  }

  private func cancelGuest(_ place: Int, _ moment: BeamMoment) {
    endGuest(place, moment, .effect(.network(.cancel(wires[place].guestID))))
  }

  private func endGuest(_ place: Int, _ moment: BeamMoment, _ event: TraceEvent) {
    guard wires[place].isReady, !wires[place].isGuestOver else { return }
    wires[place].isGuestOver = true
    end(wires[place].guestDevice, wires[place].guestID, after: wires[place].badAtGuest, moment, event)
  }

  /// Ends a device's side of a stream. A bad frame before it is judged in the instant in which the stream ended: when
  /// it was read no capture shows.
  private func end(
    _ device: Int, _ id: ConnectionID, after bad: (octets: [UInt8], at: SimInstant)?, _ moment: BeamMoment,
    _ event: TraceEvent
  ) {
    if let bad {
      if moment.instant - bad.at <= Bounds.arrives, case .effect = event {
        add(.input(.network(.received(id, octets: bad.octets))), device, moment)
      } else {
        undecidedBadFrames += 1
      }
    }
    add(event, device, moment)
  }
}
