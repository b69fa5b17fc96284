extension PhonePreset {
  public static let iphone: PhonePreset = {
    PhonePreset(name: "iphone")
  }()
}
