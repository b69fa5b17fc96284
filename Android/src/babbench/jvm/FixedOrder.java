package babbench.jvm;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of {@code Set.of} and {@code Map.of}, which the JDK draws once for each start of the JVM, is the same in
 * every JVM. The property {@code babbench.order} is a number that chooses another order.
 */
final class FixedOrder {
  private static final long MOST = 0xFFFF_FFFFL;

  private FixedOrder() {}

  /** Only iterators read the two fields, no look-up does. */
  static void set(Instrumentation instrumentation) throws UnmodifiableClassException {
    long salt = Long.getLong("babbench.order", 0x2545_F491L) & MOST;
    jdk.internal.misc.Unsafe unsafe = jdk.internal.misc.Unsafe.getUnsafe();
    try {
      Class<?> type = Class.forName("java.util.ImmutableCollections");
      java.lang.reflect.Field field = type.getDeclaredField("SALT32L");
      unsafe.putLong(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field), salt);
      java.lang.reflect.Field way = type.getDeclaredField("REVERSE");
      unsafe.putBoolean(unsafe.staticFieldBase(way), unsafe.staticFieldOffset(way), (salt & 1) == 0);
    } catch (ReflectiveOperationException unknown) {
      System.err.println("babbench: the order of Set.of and Map.of differs in each JVM: " + unknown);
    }
    // The start of the JVM has iterated so much that some of it is compiled, with the fields as constants.
    List<Class<?>> compiled = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getName().startsWith("java.util.ImmutableCollections")) compiled.add(type);
    }
    instrumentation.retransformClasses(compiled.toArray(new Class<?>[0]));
  }
}
