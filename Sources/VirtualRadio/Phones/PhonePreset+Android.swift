extension PhonePreset {
  public static let android: PhonePreset = {
    PhonePreset(name: "android")
  }()
}
