// swift-tools-version: 6.1
import PackageDescription

/// Every target is compiled with the same strict settings; see CONTRIBUTING.md.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Instants, octets, and the radio below the app: no app is known here.
let radio: [Target.Dependency] = ["VirtualRadio", "SimKernel", "BluetoothWire"]
/// What a world is made of, with the seam to its apps.
let bench: [Target.Dependency] = ["Bench", "Platform", "AppSeam"] + radio
/// What captures are read and judged by.
let captures: [Target.Dependency] = ["CaptureCheck", "CaptureFormats", "Judging"]
/// Everything of Bab.
let bab: [Target.Dependency] = ["BabSim", "BabOracles", "BabMutants", "BabSuite"]

let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A release has no debug information: a backtrace of it names functions, but no lines. What is wrong in a release shows
/// in a debug build as well, since a run is repeatable. Packages that depend on ours by version accept unsafe flags only
/// where no library product needs the target.
let stripped: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux], configuration: .release))
]

/// The arrows of ARCHITECTURE.md, as the build sees them; RepositoryTests holds the rest.
let package = Package(
  name: "babbench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "babbench", targets: ["babbench"]),
    .library(
      name: "BabSim",
      targets: ["BabSim", "Bench", "Platform", "AppSeam", "VirtualRadio", "BluetoothWire", "SimKernel"]),
    .library(name: "HCIPorts", targets: ["HCIPorts"]),
    .library(
      name: "BabConformance",
      targets: ["BabSuite", "BabMutants", "BabOracles", "Conformance", "CaptureCheck", "Judging", "CaptureFormats"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    library("SimKernel"),
    library("BluetoothWire"),
    library("CaptureFormats"),
    .systemLibrary(
      name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    library("VirtualRadio", ["SimKernel", "BluetoothWire", "CLibCrypto"]),
    library("AppSeam", ["SimKernel", "BluetoothWire"]),
    library("Platform", ["AppSeam"] + radio),
    library("Bench", ["Platform", "AppSeam", .product(name: "Yams", package: "Yams")] + radio),
    library("Judging", ["SimKernel", mustache]),
    library("CaptureCheck", ["Judging", "CaptureFormats", "SimKernel", "BluetoothWire", mustache]),
    library("Conformance", captures + bench + [mustache]),
    library("BabSim", bench),
    library("BabOracles", ["BabSim", "Conformance"] + captures + bench),
    library("BabMutants", ["BabOracles", "BabSim", "Conformance", "Judging"] + bench),
    library("BabSuite", ["BabMutants", "BabOracles", "BabSim", "Conformance"] + captures + bench),
    library("Bystanders", ["Conformance"] + bench),
    .target(name: "CBlueZ"),
    .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
    library(
      "HCIPorts",
      [
        "CaptureFormats", "CBlueZ", "CPcap", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ] + radio),
    .executableTarget(
      name: "babbench",
      dependencies: [
        "HCIPorts", "Conformance", "Bystanders", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ] + bab + captures + bench,
      swiftSettings: strict, linkerSettings: stripped),
    tests("SimKernelTests", ["SimKernel"]),
    tests("BluetoothWireTests", ["BluetoothWire"]),
    tests("CaptureFormatsTests", ["CaptureFormats"]),
    tests("VirtualRadioTests", radio),
    tests("PlatformTests", ["Platform", "AppSeam"] + radio),
    tests("BabSimTests", ["BabSim", "Bystanders"] + bench),
    .target(
      name: "CaptureTestSupport", dependencies: captures + radio, path: "Tests/CaptureTestSupport",
      swiftSettings: strict),
    tests("CaptureCheckTests", ["CaptureTestSupport"] + captures + radio),
    tests("BabSuiteTests", ["CaptureTestSupport", "Conformance", "Bystanders"] + bab + captures + bench),
    tests("HCIPortsTests", ["HCIPorts", "CaptureFormats", "CBlueZ"] + radio),
    tests("BabbenchTests", ["babbench", "HCIPorts", "Conformance"] + bab + captures + bench),
    tests("RepositoryTests"),
  ]
)
