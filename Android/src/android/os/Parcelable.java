package android.os;

/**
 * What can be written to a {@link Parcel}. Its methods have bodies here, so that Kotlin classes with {@code @Parcelize}
 * compile without the compiler plugin that writes them: nothing leaves the process.
 */
public interface Parcelable {
  int CONTENTS_FILE_DESCRIPTOR = 1;
  int PARCELABLE_WRITE_RETURN_VALUE = 1;

  default int describeContents() {
    return 0;
  }

  default void writeToParcel(Parcel destination, int flags) {
    destination.writeValue(this);
  }

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
