import BabSim
import Bench
import Conformance

/// The only host that a device of Bab can have to do with.
struct HostView {
  let index: Int
  let dialect: Dialect
  let header: TraceHeader

  /// - Returns: nil where the device is neither a host nor a client of a known one.
  init?(_ situation: ChartWords.Situation) {
    header = situation.header
    let devices = header.devices
    guard devices.indices.contains(situation.device) else { return nil }
    let own = devices[situation.device]
    let hosts = devices.indices.filter {
      devices[$0].role == .host && devices[$0].app == own.app && devices[$0].lobby == own.lobby
    }
    guard hosts.count == 1, let host = hosts.first, let dialect = Dialect.named(devices[host].dialect) else {
      return nil
    }
    (index, self.dialect) = (host, dialect)
  }

  var name: String { header.name(of: index) }
}
