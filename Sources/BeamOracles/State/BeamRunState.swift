package import AppSeam
import BeamScribe
package import Bench
package import Conformance
import Platform
import SimKernel
import VirtualNetwork

/// Who is who in a run of BeamScribe: devices, streams with both ends, and what apps show.
package final class BeamRunState: RunState {
  let devices: [BeamDevice]

  package init(header: TraceHeader) {
    devices = header.devices.enumerated().map { BeamDevice(index: $0.offset, device: $0.element) }
    super.init(header: header, parties: devices)
  }

  package override func kind(of report: AppReport) -> TraceKind {
    switch report.beam {
    case .finalShown, .transcriptCleared: .text
    case .partialShown: .partial
    case .alertShown, .alertRaised: .alert
    case .unstable, .refused: .complaint
    default: .otherReport
    }
  }

  func device(of record: TraceRecord) -> BeamDevice? {
    devices.indices.contains(record.device) ? devices[record.device] : nil
  }

  var host: BeamDevice? { devices.first { $0.isHost && !$0.isForeign } }

  package override func take(_ record: TraceRecord) {
    guard let device = device(of: record) else { return }
    switch record.event {
    case .input(.network(let input)): note(input, of: device, at: record.instant)
    case .input(.user(let action)): note(action.beam, of: device, at: record.instant)
    case .input(.background): device.disturbedAt = record.instant
    case .input(.radioPower(let isOn)):
      if !isOn {
        device.isAdvertising = false
        device.isScanning = false
      }
      device.disturbedAt = record.instant
    case .effect(.network(let effect)): note(effect, of: device, at: record.instant)
    case .effect(.advertise): device.isAdvertising = true
    case .effect(.stopAdvertising): device.isAdvertising = false
    case .effect(.scan): device.isScanning = true
    case .effect(.stopScanning): device.isScanning = false
    case .report(let report): note(report.beam, of: device)
    case .fault(let fault): note(fault, of: device, at: record.instant)
    default: break
    }
    noteLoneliness(device, at: record.instant)
  }

  private func note(_ action: BeamAction?, of device: BeamDevice, at instant: SimInstant) {
    switch action {
    case .startEvent(let name):
      if !device.isWanted {
        device.eventName = name.isEmpty ? device.name : name
        device.sessions.append([])
        device.alertsRaised = []
      }
      device.isWanted = true
    case .endEvent, .leave: device.isWanted = false
    case .join:
      device.isWanted = true
      device.wantedName = nil
    case .joinEvent(let name):
      device.isWanted = true
      device.wantedName = name
    case .speakPartial, .speakFinal, .batteryLow, .batteryOK, .stopReading, .readAgain, nil: break
    }
  }

  private func note(_ report: BeamReport?, of device: BeamDevice) {
    switch report {
    case .finalShown(_, let text):
      if device.isHost {
        if device.sessions.isEmpty { device.sessions.append([]) }
        device.sessions[device.sessions.count - 1].append(text)
      } else {
        device.shown += 1
      }
    case .transcriptCleared: device.shown = 0
    case .alertRaised(let alert): device.alertsRaised.append(alert)
    case .eventNamed(let name): device.eventName = name
    default: break
    }
  }

  private func note(_ fault: FaultEvent, of device: BeamDevice, at instant: SimInstant) {
    device.disturbedAt = instant
    switch fault {
    case .network(.wifiOff): device.isWiFiOff = true
    case .network(.wifiOn): device.isWiFiOff = false
    case .network(.partition): device.isPartitioned = true
    case .network(.endPartition): device.isPartitioned = false
    case .kill:
      for stream in device.streamsUp { stream.end(at: instant) }
      device.isAdvertising = false
      device.isScanning = false
    default: break
    }
  }

  private func noteLoneliness(_ device: BeamDevice, at instant: SimInstant) {
    if device.isWanted, !device.hasStream {
      device.lonelySince = device.lonelySince ?? instant
    } else {
      device.lonelySince = nil
    }
  }
}

// MARK: Streams

extension BeamRunState {
  private func note(_ input: NetworkInput, of device: BeamDevice, at instant: SimInstant) {
    switch input {
    case .incoming(let id, let interface, let peer):
      let stream = BeamStream(id, owner: device, interface, at: instant)
      stream.peer = devices.first { $0.name == peer }
      device.streams.append(stream)
      pair(stream)
    case .ready(let id, let interface):
      device.attempts.removeAll { $0.id == id }
      let stream = BeamStream(id, owner: device, interface, at: instant)
      device.streams.append(stream)
    case .failed(let id, _), .cancelled(let id):
      device.attempts.removeAll { $0.id == id }
      device.stream(id)?.end(at: instant)
    case .ended(let id): device.stream(id)?.end(at: instant)
    case .viable(let id, let isViable): device.stream(id)?.isViable = isViable
    case .found(let endpoint, _, let name, let interfaces): device.endpoints[endpoint] = (name, interfaces)
    case .changed(let endpoint, let interfaces): device.endpoints[endpoint]?.interfaces = interfaces
    case .lost(let endpoint): device.endpoints[endpoint] = nil
    case .submitted(let id, let isAccepted): noteAnswer(id, isAccepted, of: device)
    default: break
    }
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

  private func noteAnswer(_ id: ConnectionID, _ isAccepted: Bool, of device: BeamDevice) {
    guard let stream = device.stream(id), !stream.pending.isEmpty else { return }
    let octets = stream.pending.removeFirst()
    stream.newest = isAccepted ? stream.sent.take(octets) : []
  }

  private func note(_ effect: NetworkEffect, of device: BeamDevice, at instant: SimInstant) {
    switch effect {
    case .listen: device.isListening = true
    case .stopListening: device.isListening = false
    case .browse: device.isBrowsing = true
    case .stopBrowsing:
      device.isBrowsing = false
      device.endpoints = [:]
    case .prime(let time): device.primedUntil = instant + time
    case .connect(let id, let request): device.attempts.append((id, instant, request))
    case .send(let id, let octets): device.stream(id)?.pending.append(octets)
    case .finish(let id): device.stream(id)?.wasEndedByOwner = true
    case .cancel(let id):
      device.attempts.removeAll { $0.id == id }
      device.stream(id)?.wasEndedByOwner = true
      device.stream(id)?.end(at: instant)
    case .read(let id, let isOn): device.stream(id)?.isRead = isOn
    }
  }
}
