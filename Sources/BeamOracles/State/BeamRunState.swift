package import AppSeam
import BeamScribe
package import Bench
package import Conformance
import Platform
import SimKernel
import VirtualNetwork

/// Who is who in a run of BeamScribe: devices, streams with both ends, and what apps show.
package final class BeamRunState: RunState {
  /// Unsafe because it is asked for before the next record comes, and nothing is forgotten meanwhile.
  struct Answer {
    unowned(unsafe) let device: BeamDevice
    unowned(unsafe) let stream: BeamStream
  }

  let devices: [BeamDevice]
  /// Reads the bodies of frames for all who ask.
  let bodies = BodyMemory()
  /// Finds the frames of pieces for all who ask.
  let pieces = PieceMemory()
  /// Whether the records show the beginning of a stream, by device; those of runs always do.
  var isFromStart: (Int, ConnectionID) -> Bool = { _, _ in true }
  /// What the newest record reports; nil: it is no report.
  private(set) var report: BeamReport?
  /// The stream on which the newest record says that the platform took a send; nil: it says something else.
  private(set) var answered: Answer?
  /// How far attempts and losses may be in the records from their instants; those of runs have them exactly.
  var attemptSlack = SimDuration.zero

  package init(header: TraceHeader) {
    devices = header.devices.enumerated().map { BeamDevice(index: $0.offset, device: $0.element) }
    super.init(header: header, parties: devices)
  }

  package override func kind(of report: AppReport) -> TraceKind {
    switch report.beamMark {
    case .finalShown, .transcriptCleared: .text
    case .partialShown: .partial
    case .alertShown, .alertRaised: .alert
    case .unstable, .refused: .complaint
    // Measures read them; no oracle believes what an app says of its own packets.
    case .packetSent, .packetReceived, .latency: .other
    default: .otherReport
    }
  }

  package override var keepsCauses: Bool { false }

  func device(of record: TraceRecord) -> BeamDevice? {
    devices.indices.contains(record.device) ? devices[record.device] : nil
  }

  /// Hosts whose apps are in the trace.
  private(set) lazy var hosts = devices.filter { $0.isHost && !$0.isForeign }
  /// Whether the app of a host is external: what it speaks is not known.
  private(set) lazy var isLedFromOutside = devices.contains { $0.isForeign }

  package override func take(_ record: TraceRecord) {
    (report, answered) = (nil, nil)
    // What streams carry changes neither streams nor wishes; nearly all records of a talk are of these.
    if case .input(.network(.received(let id, let octets))) = record.event {
      device(of: record)?.stream(id)?.receive(octets.count, at: record.instant)
      return
    }
    guard let device = device(of: record) else { return }
    switch record.event {
    case .input(.network(.submitted(let id, let isAccepted))):
      return noteAnswer(id, isAccepted, of: device, at: record.instant)
    case .effect(.network(.send(let id, let octets))): return noteSend(id, octets, of: device, at: record.instant)
    case .input(.network(let input)): note(input, of: device, at: record.instant)
    case .input(.user(let action)): note(action.beam, of: device)
    case .input(.background): device.disturbedAt = record.instant
    case .input(.radioPower(let isOn)):
      if !isOn { (device.isAdvertising, device.isScanning) = (false, false) }
      device.disturbedAt = record.instant
    case .effect(.network(let effect)): note(effect, of: device, at: record.instant)
    case .effect(.advertise): device.isAdvertising = true
    case .effect(.stopAdvertising): device.isAdvertising = false
    case .effect(.scan): device.isScanning = true
    case .effect(.stopScanning): device.isScanning = false
    case .report(let word):
      guard let report = word.beam else { break }
      self.report = report
      note(report, of: device)
      // A text changes neither.
      if case .finalShown = report { return }
    case .fault(let fault): note(fault, of: device, at: record.instant)
    default: break
    }
    if device.isWanted, !device.hasStream {
      device.lonelySince = device.lonelySince ?? record.instant
    } else {
      device.lonelySince = nil
    }
  }

  private func note(_ action: BeamAction?, of device: BeamDevice) {
    switch action {
    case .startEvent(let name):
      if !device.isWanted {
        device.eventName = name.isEmpty ? device.name : name
        device.sessions.append([])
      }
      device.isWanted = true
    case .endEvent, .leave: device.isWanted = false
    case .join:
      device.isWanted = true
      device.wantedName = nil
    case .joinEvent(let name):
      device.isWanted = true
      device.wantedName = name.isEmpty ? nil : name
    case .speakPartial, .speakFinal, .batteryLow, .batteryOK, .stopReading, .readAgain, nil: break
    }
  }

  private func note(_ report: BeamReport, of device: BeamDevice) {
    switch report {
    case .state(let state):
      device.state = state
      // A host that was launched again may go on by itself (BEAM 5.7.3).
      if state == BeamState.hosting.rawValue { device.isWanted = true }
    case .finalShown(_, let text):
      if device.isHost {
        if device.sessions.isEmpty { device.sessions.append([]) }
        device.sessions[device.sessions.count - 1].append(text)
      } else {
        device.shown += 1
      }
    case .transcriptCleared: device.shown = 0
    case .alertShown(BeamAlert.hostDisconnected.rawValue, _): device.knowsEndOf = device.joinedName
    case .historyShown: device.knowsEndOf = nil
    case .alertRaised(let alert): if !device.alertsRaised.contains(alert) { device.alertsRaised.append(alert) }
    case .eventNamed(let name): device.eventName = name
    default: break
    }
  }

  private func note(_ fault: FaultEvent, of device: BeamDevice, at instant: SimInstant) {
    device.disturbedAt = instant
    switch fault {
    case .network(.wifiOff): device.isWiFiOff = true
    case .network(.wifiOn): device.isWiFiOff = false
    case .network(.partition(let other)), .network(.endPartition(let other)):
      let isPartition = if case .network(.partition) = fault { true } else { false }
      device.isPartitioned = isPartition
      if let other, devices.indices.contains(other) {
        devices[other].isPartitioned = isPartition
        devices[other].disturbedAt = instant
      }
    case .network(.leaveNetwork): device.hasLeftNetwork = true
    case .network(.joinNetwork): device.hasLeftNetwork = false
    case .network(.loss), .network(.delay): device.isImpaired = true
    case .move, .network(.moved): device.hasMoved = true
    case .kill, .reclaim:
      for stream in device.streamsUp { stream.end(at: instant) }
      device.attempts = []
      if fault == .kill { (device.isAdvertising, device.isScanning) = (false, false) }
    default: break
    }
  }
}

// MARK: Streams

extension BeamRunState {
  private func note(_ input: NetworkInput, of device: BeamDevice, at instant: SimInstant) {
    switch input {
    case .incoming(let id, let interface, let peer):
      let stream = makeStream(id, device, interface, at: instant)
      stream.peer = devices.first { $0.name == peer }
      device.append(stream)
      pair(stream)
    case .ready(let id, let interface):
      device.attempts.removeAll { $0.id == id }
      device.append(makeStream(id, device, interface, at: instant))
    case .failed(let id, _), .cancelled(let id):
      device.attempts.removeAll { $0.id == id }
      device.stream(id)?.end(at: instant)
    case .ended(let id): device.stream(id)?.end(at: instant)
    case .room(let id): device.stream(id)?.isFull = false
    case .viable(let id, let isViable): device.stream(id)?.setViable(isViable, at: instant)
    case .found(let endpoint, _, let name, let interfaces, _):
      device.endpoints.removeAll { $0.id == endpoint }
      device.endpoints.append((endpoint, name, interfaces))
      device.find(name, at: instant)
    case .changed(let endpoint, let interfaces):
      guard let place = device.endpoints.firstIndex(where: { $0.id == endpoint }) else { return }
      device.endpoints[place].interfaces = interfaces
    case .lost(let endpoint): device.endpoints.removeAll { $0.id == endpoint }
    default: break
    }
  }

  private func noteSend(_ id: ConnectionID, _ octets: [UInt8], of device: BeamDevice, at instant: SimInstant) {
    guard let stream = device.stream(id) else { return }
    stream.pending.append(octets)
    if stream.opening == nil { stream.opening = (instant, stream.isViable, device.sessions.last?.count ?? 0) }
  }

  private func makeStream(
    _ id: ConnectionID, _ device: BeamDevice, _ interface: NetworkInterface, at instant: SimInstant
  ) -> BeamStream {
    BeamStream(id, owner: device, interface, isFromStart: isFromStart(device.index, id), at: instant)
  }

  /// A guest's end is ready before its host is told.
  private func pair(_ stream: BeamStream) {
    let end = stream.peer?.streams.last {
      $0.isUp && $0.partner == nil && $0.interface == stream.interface && $0.id.rawValue % 2 == 0
    }
    stream.partner = end
    end?.partner = stream
    end?.peer = stream.owner
  }

  private func noteAnswer(_ id: ConnectionID, _ isAccepted: Bool, of device: BeamDevice, at instant: SimInstant) {
    guard let stream = device.stream(id) else { return }
    if isAccepted { answered = Answer(device: device, stream: stream) }
    guard !stream.pending.isEmpty else { return }
    let octets = stream.pending.count == 1 ? stream.pending.removeLast() : stream.pending.removeFirst()
    if isAccepted { stream.octetsTaken += octets.count }
    stream.isFull = !isAccepted
    stream.newest = isAccepted ? stream.sent.take(octets, pieces) : []
    if !stream.problems.isEmpty { stream.problems = [] }
    for body in stream.newest {
      guard let packet = try? bodies.packet(body) else { continue }
      stream.order.take(packet)
      if !stream.order.problems.isEmpty { stream.problems += stream.order.problems }
      if stream.openSince == nil, stream.order.isComplete { stream.openSince = instant }
    }
  }

  private func note(_ effect: NetworkEffect, of device: BeamDevice, at instant: SimInstant) {
    switch effect {
    case .listen, .updateRecord, .stopListening, .browse: break
    case .stopBrowsing: device.endpoints = []
    case .prime(let time): device.primedUntil = instant + time
    case .connect(let id, let request):
      device.attempts.append((id, instant, request))
      device.joinedName = device.endpoints.first { $0.id == request.endpoint }?.name ?? device.joinedName
    case .send: break
    case .finish(let id): device.stream(id)?.wasEndedByOwner = true
    case .cancel(let id):
      device.attempts.removeAll { $0.id == id }
      guard let stream = device.stream(id), stream.isUp else { break }
      stream.wasEndedByOwner = true
      stream.end(at: instant)
    case .read(let id, let isOn): device.stream(id)?.isRead = isOn
    }
  }
}
