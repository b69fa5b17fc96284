package babbench.jvm;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes time virtual for apps: {@code java -javaagent:babbench-android.jar}. Classes of apps are rewritten as they are
 * loaded, and those of the JDK on which {@code java.util.concurrent} rests.
 *
 * <p>It needs a JDK from 17 to 23, whose own copy of ASM it uses.
 */
public final class Agent {
  private static volatile boolean isThere;

  private Agent() {}

  /** Whether this JVM was started with the agent. Without it, threads of apps run in real time. */
  public static boolean isThere() {
    return isThere;
  }

  public static void premain(String arguments, Instrumentation instrumentation) throws Exception {
    install(instrumentation);
  }

  public static void agentmain(String arguments, Instrumentation instrumentation) throws Exception {
    install(instrumentation);
  }

  private static void install(Instrumentation instrumentation) throws Exception {
    if (isThere) return;
    Module base = Object.class.getModule();
    Set<Module> own = Set.of(Agent.class.getModule());
    Map<String, Set<Module>> exports =
        Map.of("jdk.internal.org.objectweb.asm", own, "jdk.internal.misc", own);
    instrumentation.redefineModule(base, Set.of(), exports, Map.of(), Set.of(), Map.of());
    FixedOrder.set(instrumentation);
    // Everything that hooks use is loaded before code calls them.
    Fiber.current();
    Class.forName("babbench.jvm.Randomness");
    Class.forName("babbench.jvm.Hooks");
    Class.forName("babbench.jvm.Rewriter");
    instrumentation.addTransformer(new Transformer(), true);
    List<Class<?>> known = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (!type.isArray() && !type.isHidden() && Rewriter.isOfJDK(type.getName().replace('.', '/'))) known.add(type);
    }
    instrumentation.retransformClasses(known.toArray(new Class<?>[0]));
    isThere = true;
  }

  private static final class Transformer implements ClassFileTransformer {
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] octets) {
      // An AppLoader has rewritten its classes already.
      if (name == null || loader instanceof AppLoader) return null;
      boolean isSystem = loader == null || loader == ClassLoader.getPlatformClassLoader();
      if (isSystem ? !Rewriter.isOfJDK(name) : !Rewriter.isOfApp(name)) return null;
      try {
        return Rewriter.rewrite(octets, isSystem, loader);
      } catch (Throwable problem) {
        System.err.println("babbench: " + name + " keeps real time: " + problem);
        return null;
      }
    }
  }
}
