package android.content.pm;

/** What a system knows of an app. */
public class ApplicationInfo {
  public static final int FLAG_DEBUGGABLE = 2;

  public int flags = FLAG_DEBUGGABLE;
  public int targetSdkVersion;
  public String packageName;
}
