package babbench.android;

import android.content.Context;
import java.io.File;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Apps with classes of their own. */
final class Isolated {
  private Isolated() {}

  /** A loader of the class path that shares only the JDK and the classes of Android with others. */
  static URLClassLoader loader() {
    List<URL> urls = new ArrayList<>();
    try {
      for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(new File(each).toURI().toURL());
      }
    } catch (MalformedURLException problem) {
      throw new IllegalStateException(problem);
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  @SuppressWarnings("unchecked")
  static void launch(String className, Object shared, Context context) {
    try {
      Constructor<?> constructor = loader().loadClass(className).getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      Thread.currentThread().setContextClassLoader(constructor.getDeclaringClass().getClassLoader());
      ((Consumer<Context>) constructor.newInstance(shared)).accept(context);
    } catch (ReflectiveOperationException problem) {
      throw new IllegalStateException("the app " + className + " cannot be launched", problem);
    }
  }
}
