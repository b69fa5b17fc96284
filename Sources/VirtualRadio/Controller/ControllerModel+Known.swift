extension ControllerModel {
  /// Every model, in the order in which they are listed to people.
  public static let all: [ControllerModel] = [
    .rtl8761bu, .bcm43430a1, .broadcom6209, .qualcomm02BE, .mediatek2007, .lairdBL654, .csrRCK,
  ]

  public static func named(_ name: String) -> ControllerModel? { all.first { $0.name == name } }

  /// Realtek RTL8761BU, of USB adapters for Bluetooth 5.1, with firmware 0xDFC6D922.
  ///
  /// Source: the answers in mauricelam/btsnoop-rs, src/testdata/btsnoop_btmon.log @6769163a15. That this subversion is
  /// this chip: Linux says “RTL: fw version 0xdfc6d922” of rtl8761bu_fw.bin (Adam-Langley/pybleno, pull request 65).
  /// Nothing there says the size of the resolving list.
  static let rtl8761bu: ControllerModel = {
    var model = ControllerModel(
      name: "rtl8761bu", version: 0x0A, hciSubversion: 0xDFC6, lmpSubversion: 0xD922, company: 0x005D,
      commands: octets(
        """
        ffffff03ccffffff3ffffc9ff30fe8fe3fe78fff1c00000061f7ffff7f00e0ff
        f7c007f8ffe38003000000000000000000000000000000000000000000000000
        """),
      features: 0x66_5FBD, aclOctets: 27, aclCount: 8)
    model.filterAcceptListSize = 32
    model.advertisingSets = 4
    return model
  }()

  /// Broadcom BCM43430A1, of the Raspberry Pi 3 and Zero W: Bluetooth 4.2, no data length extension.
  ///
  /// Source: the answers in wcbonner/GoveeBTTempLogger,
  /// BTData/bluetooth0_capture_11_30-goveebttemplogger-inout.pcap @467d5d846f. That this subversion is that chip: the
  /// table of drivers/bluetooth/btbcm.c in Linux.
  static let bcm43430a1: ControllerModel = {
    var model = ControllerModel(
      name: "bcm43430a1", version: 0x08, hciSubversion: 0x0412, lmpSubversion: 0x2209, company: 0x000F,
      commands: octets(
        """
        ffffff03ccffefffffffec1ff20fe8fe3ff78fff1c00040061f7ffff7fe0ffff
        ff3f000000008000000800000000000000000000000000000000000000000000
        """),
      features: 0x1F, aclOctets: 27, aclCount: 15)
    model.filterAcceptListSize = 128
    return model
  }()

  /// A Broadcom controller of an Android phone, LMP subversion 0x6209: Bluetooth 5.2.
  ///
  /// Source: the answers in mauricelam/btsnoop-extcap, tests/testdata/btsnoop_hci.log @f467026409. Its host asks for LE
  /// buffers by a command that this capture's reader does not know; 251 octets and 15 of them are a decision, as other
  /// controllers of this maker say.
  static let broadcom6209: ControllerModel = {
    var model = ControllerModel(
      name: "broadcom-6209", version: 0x0B, hciSubversion: 0x20CB, lmpSubversion: 0x6209, company: 0x000F,
      commands: octets(
        """
        ffffff03ccffeffffffffc1ff20fe8fe3ff78fff1c00040061f7ffff7ff8ffff
        ffffffffffffffe7e0ffffffff2d000000000000000000000000000000000000
        """),
      features: 0x0E_1F01_F9EF, aclOctets: 251, aclCount: 15)
    model.filterAcceptListSize = 128
    model.resolvingListSize = 128
    model.advertisingSets = 16
    model.advertisingData = 1_650
    return model
  }()

  /// A Qualcomm controller of an Android phone, LMP subversion 0x02BE: Bluetooth 5.0.
  ///
  /// Source: the answers in wangdalian/btsnooper, data/btsnoop_hci.log @ac60b96b53.
  static let qualcomm02BE: ControllerModel = {
    var model = ControllerModel(
      name: "qualcomm-02be", version: 0x09, hciSubversion: 0x0000, lmpSubversion: 0x02BE, company: 0x001D,
      commands: octets(
        """
        ffffff03ceffefffffffff7ff20fe8fe3ff783ff1c00000061ffffff7fbe20f5
        fff0ffffffffff07000000000000000000000000000000000000000000000000
        """),
      features: 0x75FF, aclOctets: 251, aclCount: 16)
    model.filterAcceptListSize = 128
    model.resolvingListSize = 32
    model.advertisingSets = 16
    model.advertisingData = 1_650
    return model
  }()

  /// A MediaTek controller of an Android phone, LMP subversion 0x2007: Bluetooth 5.0.
  ///
  /// Source: the answers in csacca/horizon-74-at-ble, btsnoop_hci.log @b929fb5c0b.
  static let mediatek2007: ControllerModel = {
    var model = ControllerModel(
      name: "mediatek-2007", version: 0x09, hciSubversion: 0x2714, lmpSubversion: 0x2007, company: 0x0046,
      commands: octets(
        """
        ffffff03ccfffffffffffc9ff30fe8ff3ff78fff1c000400010000000038e0f5
        f3cfffff01000004000000000000000000000000000000000000000000000000
        """),
      features: 0x01_7FFD, aclOctets: 251, aclCount: 8)
    model.filterAcceptListSize = 64
    model.resolvingListSize = 32
    model.advertisingSets = 8
    model.advertisingData = 192
    return model
  }()

  /// Laird BL654, an nRF52840 with the controller of the PTS dongle: Bluetooth 5.4.
  ///
  /// Source: the preset LAIRD_BL654 of RootCanal (AOSP, packages/modules/Bluetooth,
  /// tools/rootcanal/model/controller/controller_properties.cc), whose values were read from the device.
  static let lairdBL654: ControllerModel = {
    var model = ControllerModel(
      name: "laird-bl654", version: 0x0D, hciSubversion: 0x5AD2, lmpSubversion: 0x5AD2, company: 0x07E8,
      commands: octets(
        """
        2000800000c0000c0000040000002822000000000000040000f7ffff7f000000
        30f0ffffffffff1fe0f7ffffffc1e30300000000000000000000000000000000
        """),
      features: 0x19BE_FF01_7FFF, aclOctets: 512, aclCount: 4)
    model.filterAcceptListSize = 4
    model.resolvingListSize = 4
    model.advertisingSets = 4
    model.advertisingData = 256
    return model
  }()

  /// CSR “rck”, the PTS dongle: Bluetooth 4.2, and LE shares the buffers of BR/EDR.
  ///
  /// Source: the preset CSR_RCK_PTS_DONGLE of RootCanal, as above.
  static let csrRCK: ControllerModel = {
    var model = ControllerModel(
      name: "csr-rck", version: 0x08, hciSubversion: 0x30E8, lmpSubversion: 0x30E8, company: 0x000A,
      commands: octets(
        """
        ffffff03fefffffffffffffff30fe8fe3ff783ff1c00040061f7ffff7f00c0ff
        ff30000000000000000000000000000000000000000000000000000000000000
        """),
      features: 0x1F, aclOctets: 310, aclCount: 10)
    model.sharesBuffers = true
    model.filterAcceptListSize = 25
    return model
  }()
}
