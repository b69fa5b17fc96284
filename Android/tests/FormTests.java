import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothGattService;
import android.os.Bundle;
import android.os.Parcel;
import android.os.ParcelUuid;
import babbench.android.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Values of classes without a room. */
@SuppressWarnings("deprecation")
final class FormTests {
  static void addresses() {
    Check.that(BluetoothAdapter.checkBluetoothAddress("00:43:A8:23:10:F0"), "an address");
    for (String wrong : new String[] {null, "", "00:43:a8:23:10:f0", "00:43:A8:23:10", "00-43-A8-23-10-F0"}) {
      Check.that(!BluetoothAdapter.checkBluetoothAddress(wrong), "" + wrong);
    }
  }

  static void numbersInValues() {
    BluetoothGattCharacteristic characteristic = new BluetoothGattCharacteristic(Station.VALUE, 2, 1);
    characteristic.setValue(new byte[] {(byte) 0xFE, (byte) 0xFF, 1, 2});
    Check.equal(254, characteristic.getIntValue(BluetoothGattCharacteristic.FORMAT_UINT8, 0));
    Check.equal(-2, characteristic.getIntValue(BluetoothGattCharacteristic.FORMAT_SINT8, 0));
    Check.equal(65_534, characteristic.getIntValue(BluetoothGattCharacteristic.FORMAT_UINT16, 0));
    Check.equal(-2, characteristic.getIntValue(BluetoothGattCharacteristic.FORMAT_SINT16, 0));
    Check.equal(0x0201FFFE, characteristic.getIntValue(BluetoothGattCharacteristic.FORMAT_UINT32, 0));
    Check.equal(null, characteristic.getIntValue(BluetoothGattCharacteristic.FORMAT_UINT16, 3));
  }

  /** Octets of the Personal Health Devices Transcoding White Paper: 36.4 as FLOAT, 114 as SFLOAT. */
  static void floatsOf11073() {
    BluetoothGattCharacteristic characteristic = new BluetoothGattCharacteristic(Station.VALUE, 2, 1);
    characteristic.setValue(new byte[] {0x6C, 0x01, 0x00, (byte) 0xFF});
    Check.equal(36.4f, characteristic.getFloatValue(BluetoothGattCharacteristic.FORMAT_FLOAT, 0));
    characteristic.setValue(new byte[] {0x72, 0x00});
    Check.equal(114f, characteristic.getFloatValue(BluetoothGattCharacteristic.FORMAT_SFLOAT, 0));
    characteristic.setValue(364, -1, BluetoothGattCharacteristic.FORMAT_FLOAT, 0);
    Check.equal("[108, 1, 0, -1]", Arrays.toString(Arrays.copyOf(characteristic.getValue(), 4)));
  }

  static void textsOfValues() {
    BluetoothGattCharacteristic characteristic = new BluetoothGattCharacteristic(Station.VALUE, 2, 1);
    characteristic.setValue("text");
    Check.equal("xt", characteristic.getStringValue(2));
    Check.equal("", characteristic.getStringValue(4));
    Check.equal(null, characteristic.getStringValue(5));
  }

  static void theKindOfWriteFollowsTheProperties() {
    Check.equal(2, new BluetoothGattCharacteristic(Station.VALUE, 8, 16).getWriteType());
    Check.equal(1, new BluetoothGattCharacteristic(Station.VALUE, 12, 16).getWriteType());
  }

  static void partsKnowTheirWhole() {
    BluetoothGattService service = new BluetoothGattService(Station.SERVICE, 0);
    BluetoothGattCharacteristic characteristic = new BluetoothGattCharacteristic(Station.VALUE, 2, 1);
    BluetoothGattDescriptor descriptor = new BluetoothGattDescriptor(Station.NOTE, 1);
    characteristic.addDescriptor(descriptor);
    service.addCharacteristic(characteristic);
    Check.equal(characteristic, descriptor.getCharacteristic());
    Check.equal(service, characteristic.getService());
    Check.equal(characteristic, service.getCharacteristic(Station.VALUE));
    Check.equal(null, service.getCharacteristic(Station.NOTE));
  }

  static void parcels() {
    Parcel parcel = Parcel.obtain();
    ParcelUuid uuid = new ParcelUuid(UUID.fromString("12345678-1234-1234-1234-123456789abc"));
    uuid.writeToParcel(parcel, 0);
    parcel.writeString("text");
    parcel.writeByteArray(new byte[] {1});
    parcel.setDataPosition(0);
    Check.equal(uuid, ParcelUuid.CREATOR.createFromParcel(parcel));
    Check.equal("text", parcel.readString());
    Check.equal("[1]", Arrays.toString(parcel.createByteArray()));
  }

  static void bundles() {
    Bundle bundle = new Bundle();
    bundle.putInt("number", 4);
    Check.equal(4, bundle.getInt("number"));
    Check.equal(7, bundle.getInt("other", 7));
    Check.equal(null, bundle.getString("number"));
  }

  static void json() {
    String text = "{\"a\":[1,-2,9007199254740992,1.5,true,null,\"\\u00e9\\n\\\"x\"],\"b\":{}}";
    Map<String, Object> read = Json.readObject(text);
    Check.equal(Arrays.asList(1L, -2L, 9_007_199_254_740_992L, 1.5, true, null, "é\n\"x"), read.get("a"));
    Check.equal(read, Json.readObject(Json.write(read)));
    for (int length = 0; length < text.length(); length++) {
      String prefix = text.substring(0, length);
      Check.refuses(IllegalArgumentException.class, () -> Json.read(prefix));
    }
    for (String wrong : List.of("{\"a\":1,}", "[1 2]", "01", "1.", "tru", "\"\\x\"", "{}x", "9223372036854775808")) {
      Check.refuses(IllegalArgumentException.class, () -> Json.read(wrong));
    }
    Check.refuses(IllegalArgumentException.class, () -> Json.read("[".repeat(100)));
  }
}
