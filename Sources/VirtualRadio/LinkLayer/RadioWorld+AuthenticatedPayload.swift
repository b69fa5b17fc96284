import BluetoothWire
import SimKernel

/// The authenticated payload timeout of encrypted links (Vol 6, Part B, 5.4), and LE Ping, which keeps it away
/// (Vol 6, Part B, 5.1.8).
///
/// An end that has had nothing with a MIC for three quarters of the time sends LL_PING_REQ; the answer has one. One
/// entry in the queue for each end; a PDU that comes in only writes down when.
extension RadioWorld {
  /// Starts the time again: encryption began, or the host set another limit.
  func armAuthentication(_ end: LinkEnd, _ c: Connection) {
    guard let security = end.security, end.isReceiverSecured, end.isPresent else { return }
    security.lastAuthenticated = timeline.now
    security.isPinged = false
    scheduleAuthentication(end, c, security)
  }

  private func scheduleAuthentication(_ end: LinkEnd, _ c: Connection, _ security: LinkSecurity) {
    if let handle = security.authentication { timeline.cancel(handle) }
    let limit = authenticatedPayloadTimeout(end)
    let due = security.lastAuthenticated + (security.isPinged ? limit : limit - limit / 4)
    security.authentication = schedule(
      .authentication, c.index, at: max(due, timeline.now), argument: UInt64(end.role.rawValue))
  }

  /// The limit, and half a microsecond more: PDUs end at whole microseconds, and the limit may be a multiple of the
  /// interval. At the very instant at which a PDU ends, a link that skips idle events could not tell what comes first.
  private func authenticatedPayloadTimeout(_ end: LinkEnd) -> SimDuration {
    end.radio.trueTime(.milliseconds(10) * Int64(end.authenticatedPayloadTimeout)) + .nanoseconds(500)
  }

  func authenticationDue(_ c: Connection, role: HCI.Role) {
    let end = c.end(role)
    guard let security = end.security else { return }
    security.authentication = nil
    guard end.isPresent, !end.isTerminating, security.receive != nil || end.holdsTraffic else { return }
    let limit = authenticatedPayloadTimeout(end)
    let silent = timeline.now - security.lastAuthenticated
    if silent >= limit {
      end.radio.controller.emit(.encryption(.authenticatedPayloadTimeoutExpired(end.handle)))
      security.lastAuthenticated = timeline.now
      security.isPinged = false
    } else if silent >= limit - limit / 4 {
      security.isPinged = true
      start(.ping, end, c)
    } else {
      security.isPinged = false
    }
    scheduleAuthentication(end, c, security)
  }
}
