package android.os;

/** What can be written to a {@link Parcel}. */
public interface Parcelable {
  int CONTENTS_FILE_DESCRIPTOR = 1;
  int PARCELABLE_WRITE_RETURN_VALUE = 1;

  int describeContents();

  void writeToParcel(Parcel destination, int flags);

  /** Makes what was written again. */
  interface Creator<T> {
    T createFromParcel(Parcel source);

    T[] newArray(int size);
  }

  /** Makes it with a class loader. */
  interface ClassLoaderCreator<T> extends Creator<T> {
    T createFromParcel(Parcel source, ClassLoader loader);
  }
}
