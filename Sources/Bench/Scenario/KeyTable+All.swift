package import BluetoothWire
import VirtualRadio

extension KeyTable {
  package static let phoneNames = PhonePreset.all.map(\.name)

  package static let controllerNames = ControllerModel.all.map(\.name)

  package static let advertisingKinds: [(name: String, kind: HCI.AdvertisingParameters.Kind)] = [
    ("connectable", .connectableUndirected), ("scannable", .scannableUndirected),
    ("non-connectable", .nonConnectableUndirected), ("directed", .connectableDirectedHighDuty),
    ("directed low duty cycle", .connectableDirectedLowDuty),
  ]

  static let step = KeyTable(
    id: "step", title: "a step",
    keys: [
      Key("at", .duration, "at this time from the start"),
      Key("after", .duration, "this long after the step before; default 0s"),
      Key("when", .definition("condition"), "as soon as this holds"),
      Key("within", .duration, "how long “when” may take"),
      Key("radio", .table("radioChange"), "the room changes from now on"),
      Key("spread", .table("spread"), "when each device does it; done when the last one has; default all at once"),
      Key("label", .text, "a name expectations can count from"),
    ], others: .definition("action"))

  static let meanwhile = KeyTable(
    id: "meanwhile", title: "an entry of “meanwhile”",
    keys: [
      Key("at", .duration, "at this time from the start, whatever the steps wait for", isRequired: true),
      Key("radio", .table("radioChange"), "the room changes from then on"),
    ],
    others: .definition("action"))

  static let expectation = KeyTable(
    id: "expectation", title: "an expectation",
    keys: [
      Key("that", .definition("condition"), "must have held in time; without “within”: at the end"),
      Key("within", .duration, "how long it may take"),
      Key("always", .definition("condition"), "must hold all the time"),
      Key("after", .text, "the label of the step to count from; default the start"),
    ])

  static let condition = KeyTable(
    id: "conditions", title: "a condition",
    keys: [
      Key("all", .list(.definition("condition")), "every one of these"),
      Key("any", .list(.definition("condition")), "at least one of these"),
    ])
}
