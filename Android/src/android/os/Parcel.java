package android.os;

import java.util.ArrayList;
import java.util.List;

/** Values in their order. Objects are kept as they are: nothing leaves the process. */
public final class Parcel {
  private final List<Object> values = new ArrayList<>();
  private int position;

  private Parcel() {}

  public static Parcel obtain() {
    return new Parcel();
  }

  public void recycle() {}

  private void put(Object value) {
    if (position < values.size()) values.set(position, value);
    else values.add(value);
    position++;
  }

  @SuppressWarnings("unchecked")
  private <T> T take(T none) {
    return position < values.size() ? (T) values.get(position++) : none;
  }

  public int dataPosition() {
    return position;
  }

  public int dataSize() {
    return values.size();
  }

  public void setDataPosition(int position) {
    this.position = position;
  }

  public void writeInt(int value) {
    put(value);
  }

  public int readInt() {
    return take(0);
  }

  public void writeLong(long value) {
    put(value);
  }

  public long readLong() {
    return take(0L);
  }

  public void writeByte(byte value) {
    put(value);
  }

  public byte readByte() {
    return take((byte) 0);
  }

  public void writeFloat(float value) {
    put(value);
  }

  public float readFloat() {
    return take(0f);
  }

  public void writeDouble(double value) {
    put(value);
  }

  public double readDouble() {
    return take(0.0);
  }

  public void writeBoolean(boolean value) {
    put(value);
  }

  public boolean readBoolean() {
    return take(false);
  }

  public void writeString(String value) {
    put(value);
  }

  public String readString() {
    return take(null);
  }

  public void writeByteArray(byte[] value) {
    put(value == null ? null : value.clone());
  }

  public byte[] createByteArray() {
    byte[] value = take(null);
    return value == null ? null : value.clone();
  }

  public void readByteArray(byte[] into) {
    byte[] value = take(null);
    if (value != null) System.arraycopy(value, 0, into, 0, Math.min(value.length, into.length));
  }

  public void writeParcelable(Parcelable value, int flags) {
    put(value);
  }

  public <T extends Parcelable> T readParcelable(ClassLoader loader) {
    return take(null);
  }

  public <T> T readParcelable(ClassLoader loader, Class<T> type) {
    return take(null);
  }

  public <T extends Parcelable> void writeTypedObject(T value, int flags) {
    put(value);
  }

  public <T> T readTypedObject(Parcelable.Creator<T> creator) {
    return take(null);
  }

  public void writeValue(Object value) {
    put(value);
  }

  public Object readValue(ClassLoader loader) {
    return take(null);
  }

  public void writeStringList(List<String> value) {
    put(value);
  }

  public List<String> createStringArrayList() {
    return take(null);
  }

  public <T extends Parcelable> void writeTypedList(List<T> value) {
    put(value);
  }

  public <T> ArrayList<T> createTypedArrayList(Parcelable.Creator<T> creator) {
    List<T> value = take(null);
    return value == null ? null : new ArrayList<>(value);
  }
}
