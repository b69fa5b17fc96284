import AppSeam
import BluetoothWire
import SimKernel

/// The ends of links, the way back, and the end of the session (BAB 5.7, 5.8).
extension ClientEngine {
  func disconnected(_ link: LinkID, _ reason: HCI.ErrorCode) {
    guard link == self.link else { return }
    let wasRefused = stage == .joining && reason == .remoteUserTerminatedConnection
    linkGone()
    if wasRefused { refusals += 1 }
    if refusals >= 3, reconnectDeadline == nil { return giveUp("refused by the host") }
    if !comeBack() { backOff(from: nil) }
  }

  /// Cleans up after a link; a session that was on turns to coming back.
  private func linkGone() {
    guard let link else { return }
    sender.close(link)
    receiver.disconnect(link, &effects)
    effects.append(.cancelTimer(EngineTimer.join(link)))
    effects.append(.cancelTimer(EngineTimer.heartbeat))
    self.link = nil
    awaitedSubscriptions = []
    answeredLineID = nil
    if stage == .joined, phase != .finished, reconnectDeadline == nil {
      let deadline = now + dialect.reconnectWindow
      reconnectDeadline = deadline
      showLinkState(.reconnecting)
      effects.append(.setTimer(EngineTimer.reconnectDeadline, at: deadline))
    }
    if stage == .joined { attempts = 0 }
  }

  /// Looks for the host at once after a loss; later attempts back off. false = not lost just now.
  private func comeBack() -> Bool {
    if phase == .finished {
      giveUp("finished")
      return true
    }
    guard reconnectDeadline != nil, stage == .joined else { return false }
    scan()
    return true
  }

  /// A seat in the lobby: whatever was tried before is forgotten.
  func seated() {
    guard stage == .joining, let link else { return }
    stage = .joined
    attempts = 0
    refusals = 0
    effects.append(.cancelTimer(EngineTimer.join(link)))
    if reconnectDeadline != nil {
      reconnectDeadline = nil
      effects.append(.cancelTimer(EngineTimer.reconnectDeadline))
    }
    showLinkState(.connected)
    armHeartbeat()
  }

  func leave() {
    guard stage != .idle else { return }
    giveUp("left")
  }

  /// The session is over for this app: no link, no attempt, no timer is left behind.
  func giveUp(_ reason: String) {
    switch stage {
    case .scanning: if isRadioOn { effects.append(.stopScanning) }
    case .connecting(let address): effects.append(.cancelConnect(address))
    case .idle, .backingOff, .joining, .joined: break
    }
    if let link {
      effects.append(.disconnect(link))
      sender.close(link)
      receiver.disconnect(link, &effects)
      effects.append(.cancelTimer(EngineTimer.join(link)))
    }
    link = nil
    stage = .idle
    reconnectDeadline = nil
    for timer in [
      EngineTimer.heartbeat, EngineTimer.vote, EngineTimer.scanTimeout, EngineTimer.connectTimeout,
      EngineTimer.retry, EngineTimer.reconnectDeadline,
    ] {
      effects.append(.cancelTimer(timer))
    }
    showLinkState(.disconnected)
    report(.sessionEnded(reason))
  }

  func radioPower(_ isOn: Bool) {
    isRadioOn = isOn
    if isOn {
      if stage == .scanning { scan() }
      return
    }
    switch stage {
    case .idle, .scanning, .backingOff: break
    case .connecting:
      effects.append(.cancelTimer(EngineTimer.connectTimeout))
      stage = .scanning
    case .joining, .joined:
      let wasFinished = phase == .finished
      linkGone()
      if wasFinished { giveUp("finished") } else { stage = .scanning }
    }
  }
}
