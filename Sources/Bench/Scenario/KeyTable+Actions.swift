package import Platform
import SimKernel
import VirtualNetwork

extension KeyTable {
  /// What a device's `protocol` says when no app runs on it.
  package static let noApp = "none"

  /// What the bench can do to any device without saying more.
  static let plainFaults: [(name: String, fault: DeviceFault)] = [
    ("vanish", .vanish), ("appear", .appear), ("radio off", .radioOff), ("radio on", .radioOn), ("kill", .kill),
    ("reclaim", .reclaim), ("relaunch", .relaunch), ("background", .background), ("foreground", .foreground),
    ("screen off", .screenOff), ("screen on", .screenOn),
    ("disconnect", .disconnect(nil)), ("go out of range", .outOfRange), ("come back", .comeBack),
    ("end message faults", .messagesOff), ("end failures", .failuresOff),
    ("forget bonds", .forgetBonds(nil)), ("refresh services", .refreshServices), ("wifi off", .network(.wifiOff)),
    ("wifi on", .network(.wifiOn)),
    ("join network", .network(.joinNetwork)), ("leave network", .network(.leaveNetwork)),
    ("partition", .network(.partition(from: nil))), ("end partition", .network(.endPartition(from: nil))),
  ]

  /// What the bench can do to any device, by one word or two.
  package static let plainFaultWords = plainFaults.map(\.name)
  package static func plainFault(_ word: String) -> DeviceFault? { plainFaults.first { $0.name == word }?.fault }

  /// The first words of everything that the bench can do to a device.
  package static let faultWords = plainFaults.map(\.name) + faults.map(\.name)

  /// What the bench can do to any device, with a value.
  static let faults = [
    Key("disconnect", .text, "ends the link with that device only"),
    Key("move to", .point, "from now on it stands there"),
    Key("message fault", .table("messageFault"), "a broken stack"),
    Key("failure", .table("failure"), "what its app or a peer of its server asks for fails"),
    Key("forget bonds", .text, "with that device only, and on this side only"),
    Key("partition", .text, "nothing of the network passes between it and that device"),
    Key("end partition", .text, "the end of that"),
    Key("network loss", .loss, "of all its network's paths, both ways"),
    Key("network delay", .duration, "on all its network's paths, each way"),
    Key("cover link", .table("coveredLink"), "noise covers what is sent on its links, so that it comes later"),
    Key("use channels", .integerRange, "as central, only these data channels, within 0..36"),
    Key("update connection", .table("connectionChange"), "other parameters for all its links; as peripheral it asks"),
    Key("churn", .table("churn"), "it goes away and comes back, again and again, while the next steps are done"),
  ]

  static let coveredLink = KeyTable(
    id: "coveredLink", title: "“cover link”",
    keys: [
      Key("with", .text, "only the link with that device; default all its links"),
      Key("for", .duration, "how long nothing gets through, both ways", isRequired: true),
    ])
}

extension Keys {
  static let connectionChange = KeyedMapping(
    "connectionChange", "“update connection”", of: ConnectionChange()
  ) { change, keys in
    keys("connection interval", &change.interval, .connectionInterval, "a multiple of 1.25ms")
    keys("peripheral latency", &change.peripheralLatency, .peripheralLatency, "connection events")
    keys("supervision timeout", &change.supervisionTimeout, .supervisionTimeout, "a multiple of 10ms")
    // What is not given is the link's, and at least this.
    let (interval, latency) = (Int(change.interval ?? 6), Int(change.peripheralLatency ?? 0))
    if let timeout = change.supervisionTimeout, Int(timeout) * 4 <= (1 + latency) * interval {
      keys.note(
        "supervision timeout",
        "it must be longer than twice the connection interval times one more than the latency (Vol 4, Part E, 7.8.18);"
          + " write at least \(((1 + latency) * interval / 4 + 1) * 10)ms")
    }
  }

  static let failure = KeyedMapping(
    "failure", "“failure”", of: FailureRule(operation: .connect, code: 0)
  ) { rule, keys in
    keys("of", &rule.operation, .word("operation"), "what fails", .required)
    keys(
      "code", &rule.code, .errorCode,
      "a number, or a name, such as “unlikely error” or “connection timeout”", .required)
    keys("asked by", &rule.asker, .word("asker"), "the app, or peers of its server; default app")
    keys("every", &rule.everyNth, .whole(1...1_000_000), "every how many-th; default 1, each")
    keys("count", &rule.count, .whole(1...1_000_000), "how many in all; default without end")
    keys("after", &rule.delay, .duration(), "how long a failing attempt to connect takes; default 0s")
    if rule.operation == .connect, rule.asker == .peers {
      keys.note("asked by", "a link is asked for by an app; write “asked by: app”, or leave it out")
    }
    if rule.operation != .connect, rule.delay > .zero {
      keys.note("after", "only an attempt to connect takes time; leave “after” out, or write “of: connect”")
    }
  }

  static let messageFault = KeyedMapping(
    "messageFault", "“message fault”",
    of: MessageFaultRule(fault: .drop, direction: .fromDevice, everyNth: 1, count: nil)
  ) { rule, keys in
    keys("do", &rule.fault, .word("message fault"), "what happens to a value", .required)
    keys("to", &rule.direction, .word("direction"), "which values; default outgoing")
    keys("every", &rule.everyNth, .whole(1...1_000_000), "every how many-th value; default 1, each")
    keys("count", &rule.count, .whole(1...1_000_000), "how many in all; default without end")
  }
}
