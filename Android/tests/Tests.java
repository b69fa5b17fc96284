import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

/** Runs tests: every static method without parameters of the classes named, or of all. Exit 0 when all have passed. */
public final class Tests {
  private static final Class<?>[] ALL = {TimeTests.class, ThreadTests.class, ConnectionTests.class,
      DiscoveryTests.class, ValueTests.class, ServerTests.class, ScanTests.class, AdvertiseTests.class,
      AdvertisingSetTests.class, ArgumentTests.class,
      PowerTests.class, BondTests.class,
      ChannelTests.class, LevelTests.class, FormTests.class, ProgramTests.class, DigestTests.class,
      LoaderTests.class, RoomTests.class};

  private Tests() {}

  public static void main(String[] names) {
    int count = 0;
    int failed = 0;
    for (Class<?> type : ALL) {
      Method[] methods = type.getDeclaredMethods();
      Arrays.sort(methods, Comparator.comparing(Method::getName));
      for (Method method : methods) {
        boolean isTest = Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers())
            && method.getParameterCount() == 0 && !method.isSynthetic();
        String name = type.getSimpleName() + "." + method.getName();
        boolean isWanted = names.length == 0 || Arrays.stream(names).anyMatch(name::startsWith);
        if (!isTest || !isWanted) continue;
        count++;
        try {
          method.invoke(null);
        } catch (InvocationTargetException problem) {
          failed++;
          System.out.println("FAILED: " + name);
          problem.getCause().printStackTrace(System.out);
        } catch (ReflectiveOperationException problem) {
          throw new IllegalStateException(problem);
        }
      }
    }
    System.out.println(count + " tests, " + failed + " failed");
    // A selection without any test is a mistake.
    Runtime.getRuntime().halt(failed == 0 && count > 0 ? 0 : 1);
  }
}
