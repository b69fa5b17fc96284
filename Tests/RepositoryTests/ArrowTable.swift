/// The arrows of ARCHITECTURE.md: which folder may import which module. The longest matching folder counts.
///
/// A folder below `Sources/` that matches no line is a finding, so a new room gets its line with its first file.
enum ArrowTable {
  static let allowedImports: [(folder: String, modules: [String])] = [
    ("Sources/SimKernel", []),
    ("Sources/BluetoothWire", []),
    ("Sources/CaptureFormats", []),
    ("Sources/VirtualRadio", ["SimKernel", "BluetoothWire"]),
    (
      "Sources/VirtualRadio/Controller/Security",
      ["SimKernel", "BluetoothWire", "Crypto", "CryptoExtras", "Foundation"]
    ),
    ("Sources/BabSim/Wire", ["SimKernel", "BluetoothWire"]),
    ("Sources/BabSim/Engine", ["SimKernel", "BluetoothWire"]),
    ("Sources/BabSim/Trace", ["SimKernel", "BluetoothWire", "VirtualRadio"]),
    ("Sources/BabSim/World", ["SimKernel", "BluetoothWire", "VirtualRadio"]),
    ("Sources/BabSim/Session", ["SimKernel", "BluetoothWire", "VirtualRadio", "Foundation"]),
    (
      "Sources/BabSim/Scenario",
      ["SimKernel", "BluetoothWire", "VirtualRadio", "Yams", "Foundation", "Synchronization"]
    ),
    ("Sources/Conformance/App", ["SimKernel", "BabSim"]),
    ("Sources/Conformance/Runner", ["SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Testers", ["SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Selftest", ["SimKernel", "BabSim"]),
    ("Sources/Conformance/IUT", ["SimKernel", "BluetoothWire", "BabSim"]),
    (
      "Sources/Conformance/IUT/Process",
      ["SimKernel", "BluetoothWire", "BabSim", "Synchronization", "Glibc", "Darwin"]
    ),
    ("Sources/Conformance/IUT/Description", ["BabSim", "Foundation"]),
    ("Sources/Conformance/Oracles", ["SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Verdict", ["SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    (
      "Sources/Conformance/Report",
      ["SimKernel", "BluetoothWire", "CaptureFormats", "VirtualRadio", "BabSim", "XMLCoder", "Foundation"]
    ),
    (
      "Sources/Conformance/Report/Captures", ["SimKernel", "BluetoothWire", "CaptureFormats", "VirtualRadio", "BabSim"]
    ),
    (
      "Sources/Conformance/Report/Suite",
      ["SimKernel", "BluetoothWire", "VirtualRadio", "BabSim", "XMLCoder", "Mustache", "Foundation"]
    ),
    ("Sources/Conformance/Traffic", ["SimKernel", "BluetoothWire", "CaptureFormats", "BabSim"]),
    ("Sources/Conformance/Traffic/Stats", ["SimKernel", "BluetoothWire", "CaptureFormats", "Mustache"]),
    ("Sources/Conformance/Traffic/Calibrate", ["SimKernel", "BluetoothWire", "VirtualRadio", "BabSim"]),
    ("Sources/Conformance/Traffic/Input", ["SimKernel", "BluetoothWire", "CaptureFormats", "Foundation"]),
    (
      "Sources/Conformance/Traffic/Report",
      ["SimKernel", "BluetoothWire", "CaptureFormats", "BabSim", "Mustache", "Foundation"]
    ),
    ("Sources/Conformance/Traffic/HCI", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/Conformance/Traffic/Air", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/Conformance/Traffic/Links", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/Conformance/Traffic/Attributes", ["SimKernel", "BluetoothWire"]),
    ("Sources/Conformance/Traffic/Rules", ["SimKernel", "BluetoothWire", "CaptureFormats"]),
    ("Sources/BabOracles/Oracles", ["SimKernel", "BluetoothWire", "BabSim", "Conformance"]),
    ("Sources/BabOracles/Wire", ["BabSim", "Conformance"]),
    ("Sources/BabOracles/Captures", ["SimKernel", "BluetoothWire", "BabSim", "Conformance"]),
    ("Sources/BabMutants", ["SimKernel", "BluetoothWire", "BabSim", "Conformance", "BabOracles"]),
    (
      "Sources/BabSuite",
      ["SimKernel", "BluetoothWire", "VirtualRadio", "BabSim", "Conformance", "BabOracles", "BabMutants"]
    ),
    ("Sources/CBlueZ", []),
    ("Sources/CPcap", []),
    (
      "Sources/HCIPorts/Capture",
      ["CaptureFormats", "SimKernel", "CBlueZ", "CPcap", "Synchronization", "Foundation", "Glibc", "Darwin"]
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
        "SimKernel", "BluetoothWire", "CaptureFormats", "VirtualRadio", "HCIPorts", "BabSim", "Conformance",
        "BabOracles", "BabSuite", "ArgumentParser",
        "Foundation", "Synchronization", "Glibc", "Darwin",
      ]
    ),
  ]

  /// Target → the targets and products that Package.swift may give it.
  static let targetDependencies: [(target: String, dependencies: [String])] = [
    ("SimKernel", []),
    ("BluetoothWire", []),
    ("CaptureFormats", []),
    ("VirtualRadio", ["SimKernel", "BluetoothWire", "Crypto", "CryptoExtras"]),
    ("CBlueZ", []),
    (
      "HCIPorts",
      ["VirtualRadio", "CaptureFormats", "SimKernel", "BluetoothWire", "CBlueZ", "CPcap", "NIOCore", "NIOPosix"]
    ),
    ("BabSim", ["VirtualRadio", "SimKernel", "BluetoothWire", "Yams"]),
    (
      "Conformance",
      ["BabSim", "CaptureFormats", "VirtualRadio", "SimKernel", "BluetoothWire", "XMLCoder", "Mustache"]
    ),
    ("BabOracles", ["Conformance", "BabSim", "BluetoothWire", "SimKernel"]),
    ("BabMutants", ["BabOracles", "Conformance", "BabSim", "BluetoothWire", "SimKernel"]),
    (
      "BabSuite",
      ["BabMutants", "BabOracles", "Conformance", "BabSim", "VirtualRadio", "BluetoothWire", "SimKernel"]
    ),
    (
      "babbench",
      [
        "BabSuite", "BabOracles", "Conformance", "HCIPorts", "BabSim", "CaptureFormats", "VirtualRadio",
        "BluetoothWire", "SimKernel",
        "ArgumentParser",
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
      folder: "Sources/BabOracles/Oracles", hidden: ["Sources/BabSim/Engine"],
      seam: ["Sources/BabSim/Engine/AppSeam.swift", "Sources/BabSim/Engine/UserAction.swift"],
      reason: "oracles read the trace only, never an engine"),
    Wall(
      folder: "Sources/BabOracles/Oracles", hidden: ["Sources/BabSim/World", "Sources/BabSim/Scenario"],
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
