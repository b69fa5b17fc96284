/// Values in dictionaries of options.
enum CBOption {
  /// Whether an option is on: `true`, or any number except 0, which Apple's frameworks read as a truth value.
  static func isOn(_ value: Any?) -> Bool {
    switch value {
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    case let number as Int: number != 0
    default: false
    }
  }
}
