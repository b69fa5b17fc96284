/// The arrows of ARCHITECTURE.md: which folder may import which module. The longest matching folder counts.
///
/// A folder below `Sources/` that matches no line is a finding, so a new room gets its line with its first file.
enum ArrowTable {
  static let allowedImports: [(folder: String, modules: [String])] = [
    ("Sources/SimKernel", []),
    ("Sources/BluetoothWire", []),
    ("Sources/CaptureFormats", []),
    ("Sources/VirtualRadio", ["SimKernel", "BluetoothWire"]),
    ("Sources/VirtualRadio/Controller/Security", ["SimKernel", "BluetoothWire", "CLibCrypto"]),
    ("Sources/BabSim/Wire", ["SimKernel", "BluetoothWire"]),
    ("Sources/BabSim/Engine", ["SimKernel", "BluetoothWire"]),
    ("Sources/BabSim/Trace", ["SimKernel", "BluetoothWire", "VirtualRadio"]),
    ("Sources/BabSim/World", ["SimKernel", "BluetoothWire", "VirtualRadio"]),
    ("Sources/BabSim/Session", ["SimKernel", "BluetoothWire", "VirtualRadio", "Foundation"]),
    (
      "Sources/BabSim/Scenario",
      ["SimKernel", "BluetoothWire", "VirtualRadio", "Yams", "Foundation", "Synchronization"]
    ),
    ("Sources/Judging/Verdict", []),
    ("Sources/Judging/Ledger", ["SimKernel"]),
    ("Sources/Judging/Text", ["SimKernel"]),
    ("Sources/Judging/Files", ["XMLCoder", "Foundation"]),
    ("Sources/Judging/Page", ["Mustache"]),
    ("Sources/CaptureCheck/Traffic", ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/CaptureCheck/HCI", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/CaptureCheck/Air", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/CaptureCheck/Links", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/CaptureCheck/Attributes", ["SimKernel", "BluetoothWire"]),
    ("Sources/CaptureCheck/Ends", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/CaptureCheck/Rules", ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/CaptureCheck/Inspect", ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/CaptureCheck/Input", ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats", "Foundation"]),
    ("Sources/CaptureCheck/Report", ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats", "Mustache"]),
    ("Sources/CaptureCheck/Stats", ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats", "Mustache"]),
    ("Sources/Conformance/Catalog", ["Judging", "SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Runner", ["Judging", "SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Testers", ["Judging", "SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Selftest", ["Judging", "SimKernel", "BabSim"]),
    ("Sources/Conformance/IUT", ["Judging", "SimKernel", "BluetoothWire", "BabSim"]),
    (
      "Sources/Conformance/IUT/Process",
      ["Judging", "SimKernel", "BluetoothWire", "BabSim", "Synchronization", "Glibc", "Darwin"]
    ),
    ("Sources/Conformance/IUT/Description", ["Judging", "BabSim", "Foundation"]),
    ("Sources/Conformance/Oracles", ["Judging", "SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Mutants", ["SimKernel", "BluetoothWire", "BabSim"]),
    (
      "Sources/Conformance/Report",
      ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats", "VirtualRadio", "BabSim", "Foundation"]
    ),
    (
      "Sources/Conformance/Report/Captures",
      ["Judging", "SimKernel", "BluetoothWire", "CaptureFormats", "VirtualRadio", "BabSim"]
    ),
    (
      "Sources/Conformance/Report/Suite",
      ["Judging", "SimKernel", "BluetoothWire", "VirtualRadio", "BabSim", "Mustache", "Foundation"]
    ),
    ("Sources/Conformance/Traffic", ["CaptureCheck", "Judging", "SimKernel", "BluetoothWire", "BabSim"]),
    (
      "Sources/Conformance/Traffic/Calibrate",
      ["CaptureCheck", "Judging", "SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]
    ),
    ("Sources/CBlueZ", []),
    ("Sources/CPcap", []),
    ("Sources/CLibCrypto", []),
    (
      "Sources/HCIPorts/Capture",
      [
        "CaptureFormats", "BluetoothWire", "SimKernel", "CBlueZ", "CPcap", "Synchronization", "Foundation", "Glibc",
        "Darwin",
      ]
    ),
    (
      "Sources/HCIPorts",
      [
        "SimKernel", "BluetoothWire", "VirtualRadio", "CBlueZ", "NIOCore", "NIOPosix", "Synchronization", "Glibc",
        "Darwin",
      ]
    ),
    (
      "Sources/babbench",
      [
        "SimKernel", "BluetoothWire", "CaptureFormats", "VirtualRadio", "HCIPorts", "BabSim", "Judging",
        "CaptureCheck", "Conformance", "ArgumentParser",
        "Foundation", "Synchronization", "Glibc", "Darwin",
      ]
    ),
  ]

  /// Target → the targets and products that Package.swift may give it.
  static let targetDependencies: [(target: String, dependencies: [String])] = [
    ("SimKernel", []),
    ("BluetoothWire", []),
    ("CaptureFormats", []),
    ("VirtualRadio", ["SimKernel", "BluetoothWire", "CLibCrypto"]),
    ("CBlueZ", []),
    (
      "HCIPorts",
      ["VirtualRadio", "CaptureFormats", "SimKernel", "BluetoothWire", "CBlueZ", "CPcap", "NIOCore", "NIOPosix"]
    ),
    ("BabSim", ["VirtualRadio", "SimKernel", "BluetoothWire", "Yams"]),
    (
      "Conformance",
      [
        "CaptureCheck", "Judging", "BabSim", "CaptureFormats", "VirtualRadio", "SimKernel", "BluetoothWire", "Mustache",
      ]
    ),
    ("Judging", ["SimKernel", "XMLCoder", "Mustache"]),
    ("CaptureCheck", ["Judging", "CaptureFormats", "BluetoothWire", "SimKernel", "Mustache"]),
    (
      "CaptureTestSupport",
      ["CaptureCheck", "Judging", "CaptureFormats", "VirtualRadio", "SimKernel", "BluetoothWire"]
    ),
    (
      "babbench",
      [
        "Conformance", "CaptureCheck", "Judging", "HCIPorts", "BabSim", "CaptureFormats", "VirtualRadio",
        "BluetoothWire", "SimKernel", "ArgumentParser",
      ]
    ),
  ]

  /// One folder must not name the types that others declare, though one module holds them all.
  struct Wall {
    var folder: String
    /// Folders whose top-level declarations must not be named.
    var hidden: [String]
    /// Files of the hidden folders whose declarations are the seam itself.
    var seam: [String]
    var reason: String
  }

  static let walls: [Wall] = [
    Wall(
      folder: "Sources/VirtualRadio/Host", hidden: ["Sources/VirtualRadio/Medium", "Sources/VirtualRadio/LinkLayer"],
      seam: [], reason: "the host stack reaches the controller through HCI only"),
    Wall(
      folder: "Sources/Conformance/Oracles", hidden: ["Sources/BabSim/Engine"],
      seam: ["Sources/BabSim/Engine/AppSeam.swift", "Sources/BabSim/Engine/UserAction.swift"],
      reason: "oracles read the trace only, never an engine"),
    Wall(
      folder: "Sources/Conformance/Oracles", hidden: ["Sources/BabSim/World", "Sources/BabSim/Scenario"],
      seam: ["Sources/BabSim/World/RunContract.swift"], reason: "oracles read the trace only, never the world"),
    Wall(
      folder: "Sources/BabSim/Engine", hidden: ["Sources/BabSim/World", "Sources/BabSim/Scenario"], seam: [],
      reason: "an engine sees SimKernel and Wire only"),
    Wall(
      folder: "Sources/BabSim/Wire",
      hidden: ["Sources/BabSim/Engine", "Sources/BabSim/World", "Sources/BabSim/Scenario", "Sources/BabSim/Trace"],
      seam: [], reason: "the wire format is pure and knows nobody above it"),
  ]
}
