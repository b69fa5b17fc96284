import CUnix
import Expectations
import Testing

@Suite struct UserChannelShimTests {
  @Test func anAdapterThatIsNotThereIsRefusedWithAReason() {
    // 65535 is HCI_DEV_NONE: no kernel gives a user channel of it, whether it knows Bluetooth or not.
    expect(cbluez_open_user_channel(0xFFFF) < 0)
  }
}
