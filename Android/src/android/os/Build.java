package android.os;

import babbench.android.Phone;

/** What a phone says of itself. */
public class Build {
  public static final String MANUFACTURER = "babbench";
  public static final String BRAND = "babbench";
  public static final String MODEL = "virtual phone";
  public static final String DEVICE = "virtual";
  public static final String PRODUCT = "virtual";
  public static final String HARDWARE = "virtual";
  public static final String FINGERPRINT = "babbench/virtual";
  public static final String ID = "BAB";
  public static final String TYPE = "user";

  private Build() {}

  /** The release of Android. {@code SDK_INT} is that of the JVM: the property {@code babbench.api}, else 34. */
  public static class VERSION {
    public static final int SDK_INT = Phone.defaultApiLevel();
    public static final String RELEASE = Phone.releaseOf(SDK_INT);
    public static final String CODENAME = "REL";
    public static final String INCREMENTAL = "1";
    public static final int PREVIEW_SDK_INT = 0;

    private VERSION() {}
  }

  /** Numbers of releases. */
  public static class VERSION_CODES {
    public static final int BASE = 1;
    public static final int ICE_CREAM_SANDWICH = 14;
    public static final int JELLY_BEAN = 16;
    public static final int JELLY_BEAN_MR1 = 17;
    public static final int JELLY_BEAN_MR2 = 18;
    public static final int KITKAT = 19;
    public static final int KITKAT_WATCH = 20;
    public static final int LOLLIPOP = 21;
    public static final int LOLLIPOP_MR1 = 22;
    public static final int M = 23;
    public static final int N = 24;
    public static final int N_MR1 = 25;
    public static final int O = 26;
    public static final int O_MR1 = 27;
    public static final int P = 28;
    public static final int Q = 29;
    public static final int R = 30;
    public static final int S = 31;
    public static final int S_V2 = 32;
    public static final int TIRAMISU = 33;
    public static final int UPSIDE_DOWN_CAKE = 34;
    public static final int VANILLA_ICE_CREAM = 35;
    public static final int BAKLAVA = 36;

    private VERSION_CODES() {}
  }
}
