import BluetoothWire
import Foundation
import SimKernel
import VirtualRadio

/// A preset in the words of the page about phones: each topic of its table, and what is in the column of the preset.
enum PresetWords {
  static func rows(_ phone: PhonePreset) -> [(topic: String, words: String)] {
    radio(phone) + links(phone) + attributes(phone)
      + [("Suspension and end of apps", suspension(phone.background))]
  }

  private static func radio(_ phone: PhonePreset) -> [(topic: String, words: String)] {
    let (scanning, advertising) = (phone.scanning, phone.advertising)
    let background = phone.background
    return [
      ("Scan, app in front", scan(scanning.foreground)),
      ("Scan, app in the background", "\(scan(scanning.background)), \(background.scanning.rawValue)"),
      ("Scan, screen off", scan(scanning.screenOff ?? scanning.background)),
      ("Scan while connecting", scan(scanning.connecting)),
      ("Starts of scans in 30 s", scanning.startsPerHalfMinute.map { "\($0)" } ?? "no limit"),
      (
        "Advertising, app in front",
        "every \(slots(advertising.interval)) ms; \(advertising.dataRoom) octets, \(advertising.responseRoom) in the response"
      ),
      (
        "Advertising in the background",
        "every \(slots(background.advertisingInterval)) ms, \(background.advertising.rawValue)"
      ),
      ("Address", advertising.rotatesAddress.map { "a new one after \(seconds($0)) s at most" } ?? "stays"),
    ]
  }

  private static func links(_ phone: PhonePreset) -> [(topic: String, words: String)] {
    let (connection, radio) = (phone.connection, phone.radio)
    let asked = connection.initial
    return [
      (
        "Links at once",
        "\(connection.linksAsPeripheral) as peripheral, \(connection.linksAsCentral) as central, \(connection.links) in all"
      ),
      ("Attempt to connect", connection.attemptTimeout.map { "given up after \(seconds($0)) s" } ?? "never given up"),
      ("First interval and latency", "\(intervals(asked)) ms, latency \(asked.peripheralLatency)"),
      ("First supervision timeout", "\(Int(asked.supervisionTimeout) * 10) ms"),
      ("Requests that it accepts", requests(connection)),
      (
        "Data length",
        "\(radio.maximumDataOctets) octets, \(radio.updatesDataLengthAutomatically ? "by itself" : "when asked")"
      ),
      ("LE 2M", radio.supports2M ? (radio.prefers2M ? "by itself" : "when asked") : "no"),
      (
        "Queues",
        "notifications: \(phone.buffers.notificationQueue), writes: \(phone.buffers.writeCommandQueue); "
          + "ACL packets: \(phone.buffers.aclCount) of \(phone.buffers.aclOctets) octets"
      ),
    ]
  }

  private static func attributes(_ phone: PhonePreset) -> [(topic: String, words: String)] {
    let att = phone.att
    return [
      (
        "ATT_MTU",
        "asks for \(att.clientMTU) \(att.exchangesAutomatically ? "by itself" : "when its app does"), answers \(att.serverMTU)"
      ),
      ("ATT timeout", "30 s, then the link \(att.timeoutEndsLink ? "ends" : "stays")"),
      ("Operations of an app on a link", att.oneOperationAtATime ? "one at a time" : "any number"),
      ("Services of a peer", "cached: \(att.cachesServices.rawValue)"),
      ("Service Changed", att.tellsServiceChanges ? "told to clients" : "not told"),
      ("Bonds", phone.pairing == nil ? "none" : "pairs"),
    ]
  }

  private static func suspension(_ habits: PhonePreset.BackgroundHabits) -> String {
    let suspension = habits.suspendsAfter.map { "suspended after \(seconds($0)) s" } ?? "not suspended"
    let end = habits.endsAfter.map { "ended after \(seconds($0)) s" } ?? "not ended"
    return "\(suspension), \(end)"
  }

  private static func scan(_ scan: HCI.ScanParameters) -> String {
    "\(scan.isActive ? "active" : "passive"), \(slots(scan.window)) of \(slots(scan.interval)) ms"
  }

  /// The intervals that are asked for, in milliseconds.
  static func intervals(_ asked: HCI.ConnectionParameters) -> String {
    let least = number(Double(asked.intervalMinimum) * 1.25)
    let greatest = number(Double(asked.intervalMaximum) * 1.25)
    return least == greatest ? least : "\(least)–\(greatest)"
  }

  private static func requests(_ habits: PhonePreset.ConnectionHabits) -> String {
    let intervals = habits.acceptedIntervals
    let (least, greatest) = (Double(intervals.lowerBound) * 1.25, Double(intervals.upperBound) * 1.25)
    let timeouts = (Int(habits.acceptedTimeouts.lowerBound) * 10, Int(habits.acceptedTimeouts.upperBound) * 10)
    return "\(number(least))–\(number(greatest)) ms, latency to \(habits.acceptedLatency), "
      + "timeout \(timeouts.0)–\(timeouts.1) ms"
  }

  /// Units of 0.625 ms, in milliseconds.
  private static func slots(_ units: UInt16) -> String { number(Double(units) * 0.625) }

  private static func seconds(_ duration: SimDuration) -> String { number(Double(duration.nanoseconds) / 1e9) }

  private static func number(_ value: Double) -> String { String(format: "%.7g", value) }
}
