/// The keys of a profile; its phones and its room have those of scenarios.
extension KeyTable {
  static let profile = KeyTable(
    id: "profile", title: "a profile",
    keys: [
      Key("profile", .text, "its name", isRequired: true),
      Key("summary", .text, "for people"),
      Key("captures", .list(.table("profileCapture")), "what it was measured from"),
      Key("phones", .mapping(of: .table("phone")), "by the name after the # of a reference", isRequired: true),
      Key("radio", .table("room"), "the room"),
      Key("measured", .list(.table("measurement")), "durations that no run depends on"),
    ])

  static let profileCapture = KeyTable(
    id: "profileCapture", title: "a capture",
    keys: [
      Key("file", .text, "without its folder", isRequired: true),
      Key("packets", .integer(0, 1_000_000_000_000), "in it", isRequired: true),
      Key("seen at", .word(["air", "hci", "both", "nothing"]), "where it was taken"),
    ])

  static let measurement = KeyTable(
    id: "measurement", title: "a measurement",
    keys: [
      Key("what", .text, "what was measured, and who sent it", isRequired: true),
      Key("samples", .integer(0, 1_000_000_000_000), "how many", isRequired: true),
      Key("least", .duration, "exact", isRequired: true),
      Key("median", .duration, "at most 1/32 too large", isRequired: true),
      Key("p90", .duration, "as above", isRequired: true),
      Key("p99", .duration, "as above", isRequired: true),
      Key("greatest", .duration, "exact", isRequired: true),
    ])
}
