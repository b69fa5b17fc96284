import SimKernel

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
}

extension Keys {
  /// Nothing of it is kept.
  static let profileCapture = KeyedMapping(
    "profileCapture", "a capture", of: (file: "", packets: 0, place: "air")
  ) { capture, keys in
    keys("file", &capture.file, .text, "without its folder", .required)
    keys("packets", &capture.packets, .whole(0...1_000_000_000_000), "in it", .required)
    keys("seen at", &capture.place, .word(["air", "hci", "both", "nothing"]), "where it was taken")
  }

  static let measurement = KeyedMapping(
    "measurement", "a measurement",
    of: PhoneProfile.Measurement(
      what: "", samples: 0, least: .zero, median: .zero, p90: .zero, p99: .zero, greatest: .zero)
  ) { measurement, keys in
    keys("what", &measurement.what, .text, "what was measured, and who sent it", .required)
    keys("samples", &measurement.samples, .whole(0...1_000_000_000_000), "how many", .required)
    keys("least", &measurement.least, .duration(), "exact", .required)
    keys("median", &measurement.median, .duration(), "at most 1/32 too large", .required)
    keys("p90", &measurement.p90, .duration(), "as above", .required)
    keys("p99", &measurement.p99, .duration(), "as above", .required)
    keys("greatest", &measurement.greatest, .duration(), "exact", .required)
  }
}
