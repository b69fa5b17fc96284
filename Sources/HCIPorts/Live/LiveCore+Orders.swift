import NIOCore
import SimKernel
import VirtualRadio

/// What people ask of a run while it goes on.
extension LiveCore {
  /// Says a line to people.
  func tell(_ line: String) { callbacks.log(line) }

  /// Changes how time passes from now on; what is due by now happens first.
  func set(rate: Double) {
    guard hasBegun, !isOver else { return }
    work()
    guard !isOver else { return }
    time!.set(rate: rate, at: .now())
    disarm()
    work()
  }

  var rate: Double { time?.rate ?? 1 }

  /// Time stands: the world goes on by a span at once.
  func step(by span: SimDuration) {
    guard hasBegun, !isOver else { return }
    time!.skip(span)
    work()
  }

  /// Does something to the world at the instant that it is by the clock; in lockstep at the one at which time stands.
  func change(_ body: () -> String) -> String {
    guard hasBegun else { return "error: time has not begun" }
    if settings.clock == .lockstep { return changeInLockstep(body) }
    work()
    if isOver { return "error: the session is over" }
    isBusy = true
    let answer = body()
    sendOutward()
    isBusy = false
    work()
    return answer
  }

  // MARK: Ports

  /// Opens a port for a device that had none, and says where it is.
  func openPort(_ configuration: PortConfiguration, _ done: @escaping (Result<OpenPort, PortError>) -> Void) {
    do throws(PortError) {
      try configuration.validate()
      if settings.clock == .lockstep, settings.settle == nil, !configuration.address.canSayWhatItWaitsFor {
        throw PortError("\(configuration.address): hosts there cannot say what they wait for; write h4:tcp or h4:unix")
      }
    } catch {
      return done(.failure(error))
    }
    let port = Port(configuration, owner: self, log: callbacks.log)
    port.open().assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success where isOver:
        port.close()
        done(.failure(PortError("the session is over")))
      case .success:
        adopt(port)
        done(.success(port.place))
      case .failure(let error):
        port.close()
        done(.failure(error as? PortError ?? PortError(PortError.reason(error))))
      }
    }
  }

  private func adopt(_ port: Port) {
    let device = port.configuration.device
    while placeOfDevice.count <= device { placeOfDevice.append(nil) }
    placeOfDevice[device] = ports.count
    ports.append(port)
    seats.append(LockstepSeat())
    settling.append(nil)
  }

  /// Closes the port of a device, and the connection of its host, of which the world hears nothing more.
  func closePort(of device: Int) {
    guard let place = place(of: device) else { return }
    settling[place]?.cancel()
    seats[place] = LockstepSeat()
    ports[place].close()
    placeOfDevice[device] = nil
  }
}

extension PortAddress {
  /// Whether messages about time can stand between the packets (ADR 0042).
  var canSayWhatItWaitsFor: Bool {
    switch self {
    case .tcp, .unix: true
    case .pty, .vhci, .user: false
    }
  }
}
