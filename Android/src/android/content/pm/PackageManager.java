package android.content.pm;

/** What a phone can do; and permissions, which are granted. */
public class PackageManager {
  public static final int PERMISSION_GRANTED = 0;
  public static final int PERMISSION_DENIED = -1;
  public static final String FEATURE_BLUETOOTH = "android.hardware.bluetooth";
  public static final String FEATURE_BLUETOOTH_LE = "android.hardware.bluetooth_le";

  /** Is thrown for a package that is not there. */
  public static class NameNotFoundException extends Exception {
    private static final long serialVersionUID = 1;

    public NameNotFoundException(String name) {
      super(name);
    }
  }

  public boolean hasSystemFeature(String name) {
    return FEATURE_BLUETOOTH.equals(name) || FEATURE_BLUETOOTH_LE.equals(name);
  }
}
