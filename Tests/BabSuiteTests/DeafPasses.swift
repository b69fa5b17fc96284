/// Purposes that an engine passes although it hears nothing but what is needed to join (`DeafEngine`), by why.
enum DeafPasses {
  struct Reason {
    var why: String
    /// Without `BAB/` and `-C`.
    var purposes: [String]
  }

  static let host: [Reason] = [
    Reason(
      why: "It advertises, publishes and lets clients join, in values of the right size.",
      purposes: [
        "HOST/ADV/BV-01", "HOST/ADV/BV-02", "HOST/ADV/BV-03", "HOST/ADV/BV-04", "HOST/ADV/BV-05", "HOST/ADV/BV-06",
        "HOST/ADV/BV-07", "HOST/ADV/BV-08", "HOST/ADV/BV-09", "HOST/GATT/BV-01", "HOST/GATT/BV-02", "HOST/GATT/BV-03",
        "HOST/GATT/BV-04", "HOST/GATT/BV-05", "HOST/GATT/BV-07", "HOST/GATT/BV-09",
        "HOST/GATT/BV-10", "HOST/GATT/BV-11", "HOST/MTU/BV-01", "HOST/MTU/BV-02",
        "HOST/MTU/BV-03", "HOST/MTU/BV-04", "HOST/MTU/BV-05", "HOST/MTU/BV-07", "HOST/MTU/BI-01",
      ]),
    Reason(
      why: "The probe is CLIENT_JOIN, which it hears, in whole and broken fragments.",
      purposes: [
        "HOST/FRAG/BV-01", "HOST/FRAG/BV-02", "HOST/FRAG/BV-03", "HOST/FRAG/BV-04", "HOST/FRAG/BV-05",
        "HOST/FRAG/BI-22", "HOST/FRAG/BV-06", "HOST/FRAG/BV-07", "HOST/FRAG/BI-23", "HOST/FRAG/BV-11",
        "HOST/FRAG/BV-12", "HOST/FRAG/BV-13", "HOST/FRAG/BV-14", "HOST/FRAG/BV-15", "HOST/FRAG/BV-16",
        "HOST/FRAG/BV-17", "HOST/FRAG/BI-01", "HOST/FRAG/BV-18", "HOST/FRAG/BI-02", "HOST/FRAG/BI-03",
        "HOST/FRAG/BI-05", "HOST/FRAG/BI-06", "HOST/FRAG/BI-07", "HOST/FRAG/BI-08", "HOST/FRAG/BI-09",
        "HOST/FRAG/BI-10", "HOST/FRAG/BI-11", "HOST/FRAG/BV-19", "HOST/FRAG/BI-13", "HOST/FRAG/BI-14",
        "HOST/FRAG/BV-20", "HOST/FRAG/BI-15",
      ]),
    Reason(
      why: "The probe is CLIENT_JOIN, which it hears, in whole and broken texts.",
      purposes: [
        "HOST/WIRE/BV-26", "HOST/WIRE/BV-27", "HOST/WIRE/BV-28", "HOST/WIRE/BV-29", "HOST/WIRE/BV-30",
        "HOST/WIRE/BV-31", "HOST/WIRE/BV-32", "HOST/WIRE/BV-33", "HOST/WIRE/BV-34", "HOST/WIRE/BI-01",
        "HOST/WIRE/BI-02", "HOST/WIRE/BI-03", "HOST/WIRE/BI-04", "HOST/WIRE/BI-05", "HOST/WIRE/BI-06",
        "HOST/ROBUST/BI-01", "HOST/ROBUST/BI-02", "HOST/ROBUST/BI-03",
      ]),
    Reason(
      why: "Seats, their limits and heartbeats need no more than HANDSHAKE and CLIENT_JOIN.",
      purposes: [
        "HOST/LOBBY/BV-01", "HOST/LOBBY/BV-02", "HOST/LOBBY/BV-03", "HOST/LOBBY/BV-04", "HOST/LOBBY/BV-05",
        "HOST/LOBBY/BV-06", "HOST/LOBBY/BV-07", "HOST/LOBBY/BV-09", "HOST/LOBBY/BV-12", "HOST/LOBBY/BV-16",
        "HOST/LOBBY/BV-17", "HOST/LOBBY/BV-18", "HOST/LOBBY/BV-20", "HOST/LOBBY/BV-21", "HOST/LOBBY/BI-05",
        "HOST/LOBBY/BI-06", "HOST/LOBBY/BI-07", "HOST/LOBBY/BI-08", "HOST/LOBBY/BI-10",
      ]),
    Reason(
      why: "Clients leave and join again.",
      purposes: [
        "HOST/SYNC/BV-06", "HOST/SYNC/BV-07", "HOST/SYNC/BV-08", "HOST/SYNC/BI-02", "HOST/SYNC/BI-03",
        "HOST/SYNC/BV-12", "HOST/LINK/BV-01", "HOST/LINK/BV-02", "HOST/LINK/BV-03", "HOST/LINK/BV-04",
        "HOST/LINK/BV-05", "HOST/LINK/BV-07", "HOST/LINK/BV-09", "HOST/LINK/BV-14", "HOST/LINK/BV-15",
        "HOST/LOAD/BI-01",
      ]),
    Reason(
      why: "It hears HANDSHAKE and CLIENT_JOIN, and refuses what may not be in them.",
      purposes: [
        "HOST/AUTH/BV-01", "HOST/AUTH/BI-01", "HOST/AUTH/BI-02", "HOST/AUTH/BI-06", "HOST/AUTH/BI-07",
        "HOST/AUTH/BI-09", "HOST/AUTH/BI-15", "HOST/AUTH/BI-25", "HOST/AUTH/BI-26", "HOST/AUTH/BI-27",
        "HOST/AUTH/BI-28", "HOST/AUTH/BI-29",
      ]),
  ]

  static let client: [Reason] = [
    Reason(
      why: "It finds a host, connects and joins.",
      purposes: [
        "CLIENT/ADV/BV-01", "CLIENT/ADV/BV-02", "CLIENT/ADV/BV-03", "CLIENT/ADV/BV-04", "CLIENT/ADV/BI-01",
        "CLIENT/ADV/BI-02", "CLIENT/ADV/BI-03", "CLIENT/ADV/BI-04", "CLIENT/ADV/BI-05", "CLIENT/ADV/BI-06",
        "CLIENT/ADV/BV-05", "CLIENT/ADV/BV-06", "CLIENT/ADV/BV-07", "CLIENT/GATT/BV-01", "CLIENT/GATT/BV-02",
        "CLIENT/GATT/BV-03", "CLIENT/GATT/BV-05", "CLIENT/GATT/BI-01", "CLIENT/MTU/BV-01", "CLIENT/MTU/BV-02",
        "CLIENT/MTU/BV-03", "CLIENT/MTU/BV-04", "CLIENT/MTU/BV-05", "CLIENT/MTU/BV-06", "CLIENT/MTU/BV-07",
        "CLIENT/MTU/BV-08", "CLIENT/LOBBY/BV-01", "CLIENT/LOBBY/BV-02", "CLIENT/LOBBY/BV-03", "CLIENT/LOBBY/BV-07",
        "CLIENT/LOBBY/BV-08", "CLIENT/LOBBY/BI-01", "CLIENT/LOBBY/BI-02", "CLIENT/LOBBY/BI-03",
      ]),
    Reason(
      why: "HANDSHAKE and CLIENT_JOIN, which it sends, are judged.",
      purposes: [
        "CLIENT/FRAG/BV-01", "CLIENT/FRAG/BV-02", "CLIENT/FRAG/BV-03", "CLIENT/FRAG/BV-04", "CLIENT/FRAG/BV-05",
        "CLIENT/FRAG/BI-22", "CLIENT/FRAG/BV-07", "CLIENT/WIRE/BV-01", "CLIENT/WIRE/BV-06", "CLIENT/WIRE/BV-07",
        "CLIENT/WIRE/BV-08", "CLIENT/WIRE/BV-09", "CLIENT/WIRE/BV-10", "CLIENT/WIRE/BV-11", "CLIENT/WIRE/BV-12",
        "CLIENT/WIRE/BV-13", "CLIENT/WIRE/BV-14", "CLIENT/WIRE/BV-15", "CLIENT/WIRE/BV-19", "CLIENT/SYNC/BV-01",
        "CLIENT/SYNC/BV-02", "CLIENT/SYNC/BV-14", "CLIENT/LOAD/BV-01", "CLIENT/LOAD/BV-03", "CLIENT/LOAD/BI-01",
        "CLIENT/LOAD/BI-02", "CLIENT/AUTH/BV-01", "CLIENT/AUTH/BV-02", "CLIENT/AUTH/BI-09",
      ]),
    Reason(
      why: "It loses its host and joins again, or gives up.",
      purposes: [
        "CLIENT/LINK/BV-01", "CLIENT/LINK/BV-03", "CLIENT/LINK/BV-04", "CLIENT/LINK/BV-05", "CLIENT/LINK/BV-06",
        "CLIENT/LINK/BV-07", "CLIENT/LINK/BV-08", "CLIENT/LINK/BV-09", "CLIENT/LINK/BV-10", "CLIENT/LINK/BV-11",
        "CLIENT/LINK/BV-14", "CLIENT/LINK/BV-15", "CLIENT/LINK/BI-01",
      ]),
    Reason(
      why: "The first LOBBY_UPDATE is all it has to hear.",
      purposes: [
        "CLIENT/ROBUST/BI-01"
      ]),
  ]
}
