package babbench.android;

import android.content.Context;
import babbench.jvm.AppLoader;
import java.lang.reflect.Constructor;
import java.util.function.Consumer;

/** Apps with classes of their own. */
final class Isolated {
  private Isolated() {}

  @SuppressWarnings("unchecked")
  static void launch(String className, Object shared, Context context) {
    try {
      Constructor<?> constructor = new AppLoader().loadClass(className).getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      Thread.currentThread().setContextClassLoader(constructor.getDeclaringClass().getClassLoader());
      ((Consumer<Context>) constructor.newInstance(shared)).accept(context);
    } catch (ReflectiveOperationException problem) {
      throw new IllegalStateException("the app " + className + " cannot be launched", problem);
    }
  }
}
