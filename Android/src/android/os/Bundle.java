package android.os;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Named values. */
public final class Bundle implements Parcelable, Cloneable {
  public static final Bundle EMPTY = new Bundle();

  private final Map<String, Object> values = new LinkedHashMap<>();

  public Bundle() {}

  public Bundle(Bundle other) {
    values.putAll(other.values);
  }

  public Bundle(int capacity) {}

  @SuppressWarnings("unchecked")
  private <T> T get(String key, Class<?> type, T none) {
    Object value = values.get(key);
    return type.isInstance(value) ? (T) value : none;
  }

  public boolean containsKey(String key) {
    return values.containsKey(key);
  }

  public Object get(String key) {
    return values.get(key);
  }

  public Set<String> keySet() {
    return values.keySet();
  }

  public int size() {
    return values.size();
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public void remove(String key) {
    values.remove(key);
  }

  public void clear() {
    values.clear();
  }

  public void putAll(Bundle other) {
    values.putAll(other.values);
  }

  public void putInt(String key, int value) {
    values.put(key, value);
  }

  public int getInt(String key) {
    return getInt(key, 0);
  }

  public int getInt(String key, int none) {
    return get(key, Integer.class, none);
  }

  public void putLong(String key, long value) {
    values.put(key, value);
  }

  public long getLong(String key) {
    return getLong(key, 0);
  }

  public long getLong(String key, long none) {
    return get(key, Long.class, none);
  }

  public void putBoolean(String key, boolean value) {
    values.put(key, value);
  }

  public boolean getBoolean(String key) {
    return getBoolean(key, false);
  }

  public boolean getBoolean(String key, boolean none) {
    return get(key, Boolean.class, none);
  }

  public void putShort(String key, short value) {
    values.put(key, value);
  }

  public short getShort(String key, short none) {
    return get(key, Short.class, none);
  }

  public void putByteArray(String key, byte[] value) {
    values.put(key, value);
  }

  public byte[] getByteArray(String key) {
    return get(key, byte[].class, null);
  }

  public void putString(String key, String value) {
    values.put(key, value);
  }

  public String getString(String key) {
    return get(key, String.class, null);
  }

  public String getString(String key, String none) {
    return get(key, String.class, none);
  }

  public void putParcelable(String key, Parcelable value) {
    values.put(key, value);
  }

  public <T extends Parcelable> T getParcelable(String key) {
    return get(key, Parcelable.class, null);
  }

  public <T> T getParcelable(String key, Class<T> type) {
    return get(key, type, null);
  }

  public void putParcelableArrayList(String key, ArrayList<? extends Parcelable> value) {
    values.put(key, value);
  }

  public <T extends Parcelable> ArrayList<T> getParcelableArrayList(String key) {
    return get(key, ArrayList.class, null);
  }

  public void putStringArrayList(String key, ArrayList<String> value) {
    values.put(key, value);
  }

  public ArrayList<String> getStringArrayList(String key) {
    return get(key, ArrayList.class, null);
  }

  public void putBundle(String key, Bundle value) {
    values.put(key, value);
  }

  public Bundle getBundle(String key) {
    return get(key, Bundle.class, null);
  }

  /** Any value; for the classes of this module, and what an {@code Intent} has. */
  void put(String key, Object value) {
    values.put(key, value);
  }

  @Override
  public Object clone() {
    return new Bundle(this);
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeValue(new Bundle(this));
  }

  @Override
  public String toString() {
    return "Bundle" + values;
  }
}
