import Testing

/// A mistake that guides make, the purposes that it alone fails, and the clauses that they name: the tables of
/// Docs/corebluetooth-program.md.
struct Mistake: CustomTestStringConvertible, Sendable {
  var name: String
  var findings: [(purpose: String, clause: String)]
  /// What a phone would log of it, by the remark's name.
  var remark: String?
  var testDescription: String { name }

  private init(_ name: String, _ findings: (purpose: String, clause: String)..., logs remark: String? = nil) {
    self.name = name
    self.findings = findings
    self.remark = remark
  }

  static let ofHosts = [
    Mistake("raw-chunks", ("FRAG/BV-01-C", "BAB 3.1")),
    Mistake("fixed-length", ("MTU/BV-01-C", "BAB 3.4"), logs: "update.truncated"),
    Mistake("ignores-result", ("LOAD/BV-05-C", "BAB 5.2.5")),
    Mistake("one-queue", ("LOAD/BV-07-C", "BAB 5.2.4")),
    Mistake("tells-everybody", ("LOBBY/BV-03-C", "BAB 5.1.6")),
    Mistake("one-counter", ("FRAG/BV-06-C", "BAB 3.7")),
    Mistake("one-buffer", ("FRAG/BI-23-C", "BAB 3.9"), ("LOBBY/BV-16-C", "BAB 5.1.7")),
    Mistake("keeps-parts", ("FRAG/BI-02-C", "BAB 3.14")),
    Mistake("knows-subscribers", ("GATT/BV-05-C", "BAB 5.9.4")),
    Mistake("misses-the-end", ("LINK/BV-01-C", "BAB 5.7.1")),
    Mistake("foundation-json", ("WIRE/BV-01-C", "BAB 4.1")),
    Mistake("always-advertises", ("START/BV-03-C", "BAB 5.2.9")),
    Mistake("publishes-again", ("LINK/BV-05-C", "BAB 5.7.12")),
  ]

  static let ofClients = [
    Mistake("forgets-peripheral", ("ADV/BV-02-C", "BAB 2.5"), logs: "central.peripheral-not-retained"),
    Mistake("scans-on", ("ADV/BV-08-C", "BAB 8.6")),
    Mistake("takes-all", ("AUTH/BV-02-C", "BAB 1.2")),
    Mistake("waits-forever", ("ADV/BV-05-C", "BAB 8.5")),
    Mistake("unwraps", ("ADV/BI-03-C", "BAB 7.13")),
    Mistake("speaks-at-once", ("LOBBY/BV-01-C", "BAB 5.1.5")),
    Mistake("ignores-state", ("ADV/BI-06-C", "BAB 2.5")),
    Mistake("raw-chunks", ("FRAG/BV-01-C", "BAB 3.1")),
    Mistake("fixed-length", ("MTU/BV-01-C", "BAB 3.4")),
    Mistake("long-writes", ("MTU/BV-02-C", "BAB 3.4")),
    Mistake("one-type", ("GATT/BV-03-C", "BAB 2.8")),
    Mistake(
      "ignores-room", ("FRAG/BV-07-C", "BAB 3.8"), ("LOAD/BI-01-C", "BAB 5.9.2"), logs: "peripheral.queue-full"),
    Mistake("ignores-error", ("GATT/BI-01-C", "BAB 5.9.6")),
    Mistake("first-value", ("LOBBY/BV-02-C", "BAB 5.1.13")),
    Mistake("reads-header", ("FRAG/BI-06-C", "BAB 7.13")),
    Mistake("keeps-parts", ("FRAG/BI-05-C", "BAB 3.16")),
    Mistake("subscribes-once", ("LINK/BV-02-C", "BAB 5.7.7")),
    Mistake("keeps-characteristics", ("LINK/BV-01-C", "BAB 5.7.7"), logs: "peripheral.stale-attribute"),
    Mistake("misses-power-off", ("LINK/BV-14-C", "BAB 5.7.12")),
    Mistake("foundation-json", ("WIRE/BV-07-C", "BAB 4.1")),
  ]
}
