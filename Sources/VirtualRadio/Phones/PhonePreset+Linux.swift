extension PhonePreset {
  public static let linux: PhonePreset = {
    PhonePreset(name: "linux")
  }()
}
