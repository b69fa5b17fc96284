// swift-tools-version: 6.1
import PackageDescription

/// Every target is compiled with the same strict settings; see CONTRIBUTING.md.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The arrows of ARCHITECTURE.md, as the build sees them; RepositoryTests holds the rest.
let package = Package(
  name: "babbench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "babbench", targets: ["babbench"]),
    .library(name: "BabSim", targets: ["BabSim", "VirtualRadio", "BluetoothWire", "SimKernel"]),
    .library(name: "HCIPorts", targets: ["HCIPorts"]),
    .library(
      name: "BabConformance", targets: ["BabSuite", "BabMutants", "BabOracles", "Conformance", "CaptureFormats"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.18.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .target(name: "SimKernel", swiftSettings: strict),
    .target(name: "BluetoothWire", swiftSettings: strict),
    .target(name: "CaptureFormats", swiftSettings: strict),
    .target(
      name: "VirtualRadio",
      dependencies: [
        "SimKernel", "BluetoothWire",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .target(
      name: "BabSim",
      dependencies: ["VirtualRadio", "SimKernel", "BluetoothWire", .product(name: "Yams", package: "Yams")],
      swiftSettings: strict),
    .target(
      name: "Conformance",
      dependencies: [
        "BabSim", "CaptureFormats", "VirtualRadio", "SimKernel", "BluetoothWire",
        .product(name: "XMLCoder", package: "XMLCoder"),
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      swiftSettings: strict),
    .target(
      name: "BabOracles", dependencies: ["Conformance", "BabSim", "BluetoothWire", "SimKernel"], swiftSettings: strict),
    .target(
      name: "BabMutants", dependencies: ["BabOracles", "Conformance", "BabSim", "BluetoothWire", "SimKernel"],
      swiftSettings: strict),
    .target(
      name: "BabSuite",
      dependencies: [
        "BabMutants", "BabOracles", "Conformance", "BabSim", "VirtualRadio", "BluetoothWire", "SimKernel",
      ],
      swiftSettings: strict),
    .target(name: "CBlueZ"),
    .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
    .target(
      name: "HCIPorts",
      dependencies: [
        "VirtualRadio", "CaptureFormats", "SimKernel", "BluetoothWire", "CBlueZ", "CPcap",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "babbench",
      dependencies: [
        "BabSuite", "BabOracles", "Conformance", "HCIPorts", "BabSim", "CaptureFormats", "VirtualRadio",
        "BluetoothWire", "SimKernel",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(name: "SimKernelTests", dependencies: ["SimKernel"], swiftSettings: strict),
    .testTarget(name: "BluetoothWireTests", dependencies: ["BluetoothWire"], swiftSettings: strict),
    .testTarget(name: "CaptureFormatsTests", dependencies: ["CaptureFormats"], swiftSettings: strict),
    .testTarget(
      name: "VirtualRadioTests", dependencies: ["VirtualRadio", "SimKernel", "BluetoothWire"], swiftSettings: strict),
    .testTarget(
      name: "BabSimTests", dependencies: ["BabSim", "VirtualRadio", "SimKernel", "BluetoothWire"],
      swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "BabSuite", "BabMutants", "BabOracles", "Conformance", "BabSim", "VirtualRadio", "CaptureFormats", "SimKernel",
        "BluetoothWire",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BabSuiteTests",
      dependencies: [
        "BabSuite", "BabMutants", "BabOracles", "Conformance", "BabSim", "VirtualRadio", "CaptureFormats", "SimKernel",
        "BluetoothWire",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HCIPortsTests",
      dependencies: ["HCIPorts", "CaptureFormats", "CBlueZ", "VirtualRadio", "SimKernel", "BluetoothWire"],
      swiftSettings: strict),
    .testTarget(
      name: "BabbenchTests",
      dependencies: [
        "babbench", "BabSuite", "BabMutants", "BabOracles", "Conformance", "HCIPorts", "BabSim", "CaptureFormats",
        "VirtualRadio", "SimKernel", "BluetoothWire",
      ],
      swiftSettings: strict),
    .testTarget(name: "RepositoryTests", swiftSettings: strict),
  ]
)
