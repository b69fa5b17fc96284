package android.app;

import android.content.ContextWrapper;

/** The app as a whole. Nobody calls {@link #onCreate} but who makes one. */
public class Application extends ContextWrapper {
  public Application() {
    super(null);
  }

  public void onCreate() {}
}
