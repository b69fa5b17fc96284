public import CaptureCheck

/// All protocols that captures can be judged by; another one is another line here.
public enum TrafficProtocols {
  public static var all: [any TrafficProtocol.Type] { [BabTraffic.self] }

  /// The protocol of that name, nil when there is none.
  public static func named(_ name: String) -> (any TrafficProtocol.Type)? { all.first { $0.name == name } }
}
