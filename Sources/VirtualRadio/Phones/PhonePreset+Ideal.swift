extension PhonePreset {
  public static let ideal: PhonePreset = {
    PhonePreset(name: "ideal")
  }()
}
