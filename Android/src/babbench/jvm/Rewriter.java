package babbench.jvm;

import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Label;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;
import jdk.internal.org.objectweb.asm.Type;

/** Replaces calls of the JDK that read clocks, block, or start threads, by {@link Hooks}. */
final class Rewriter {
  private static final int API = Opcodes.ASM8;
  private static final String HOOKS = "babbench/jvm/Hooks";
  private static final String OBJECT = "java/lang/Object";
  private static final String THREAD = "java/lang/Thread";
  private static final Map<String, Boolean> THREADS = new ConcurrentHashMap<>();

  private Rewriter() {}

  /** Classes of the JDK that are rewritten. */
  static boolean isOfJDK(String name) {
    return name.startsWith("java/util/concurrent/") || name.equals(THREAD) || name.equals("java/util/Date")
        || name.startsWith("java/util/Timer") || name.equals("java/util/TaskQueue")
        || name.equals("java/util/GregorianCalendar") || name.startsWith("java/time/Clock");
  }

  /** Classes of others that are rewritten: all, except what runs tests. */
  static boolean isOfApp(String name) {
    return !name.startsWith("babbench/") && !name.startsWith("android/") && !name.startsWith("org/junit/")
        && !name.startsWith("jdk/") && !name.startsWith("sun/") && !name.startsWith("org/gradle/");
  }

  static byte[] rewrite(byte[] octets, boolean isOfJDK, ClassLoader loader) {
    ClassReader reader = new ClassReader(octets);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    boolean isThread = reader.getClassName().equals(THREAD);
    Rewriting rewriting = new Rewriting(writer, reader.getClassName(), isOfJDK, isThread, loader);
    reader.accept(rewriting, 0);
    return rewriting.hasChanged ? writer.toByteArray() : null;
  }

  private static boolean isThread(String name, ClassLoader loader) {
    if (name.equals(THREAD)) return true;
    if (name.equals(OBJECT) || name.startsWith("[")) return false;
    Boolean known = THREADS.get(name);
    if (known != null) return known;
    boolean answer = false;
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    try (InputStream stream = from.getResourceAsStream(name + ".class")) {
      if (stream != null) {
        String parent = new ClassReader(stream).getSuperName();
        answer = parent != null && isThread(parent, loader);
      }
    } catch (java.io.IOException | RuntimeException unreadable) {
      answer = false;
    }
    THREADS.put(name, answer);
    return answer;
  }

  private static final class Rewriting extends ClassVisitor {
    private final String own;
    private final boolean isOfJDK;
    private final boolean isThread;
    private final ClassLoader loader;
    boolean hasChanged;
    private boolean isInterface;

    Rewriting(ClassWriter to, String own, boolean isOfJDK, boolean isThread, ClassLoader loader) {
      super(API, to);
      this.own = own;
      this.isOfJDK = isOfJDK;
      this.isThread = isThread;
      this.loader = loader;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
      isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      super.visit(version, access, name, signature, parent, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
      boolean isSynchronized = (access & Opcodes.ACC_SYNCHRONIZED) != 0 && !isOfJDK;
      int kept = isSynchronized ? access & ~Opcodes.ACC_SYNCHRONIZED : access;
      MethodVisitor to = super.visitMethod(kept, name, type, signature, thrown);
      boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
      if (!hasCode) return to;
      return new Body(to, access, name, type, isSynchronized);
    }

    private final class Body extends MethodVisitor {
      private final int access;
      private final String name;
      private final String type;
      private final boolean isSynchronized;
      private final Label begin = new Label();
      private final Label end = new Label();

      Body(MethodVisitor to, int access, String name, String type, boolean isSynchronized) {
        super(API, to);
        this.access = access;
        this.name = name;
        this.type = type;
        this.isSynchronized = isSynchronized;
      }

      @Override
      public void visitCode() {
        super.visitCode();
        if (isThread) insertInThread();
        else if (name.equals("run") && type.equals("()V") && (access & Opcodes.ACC_STATIC) == 0 && !isInterface) {
          callWithThis("began", "(Ljava/lang/Object;)V");
        }
        if (isSynchronized) {
          monitor("enter");
          super.visitLabel(begin);
        }
      }

      private void insertInThread() {
        if (name.equals("start") && type.equals("()V")) callWithThis("starting", "(Ljava/lang/Thread;)V");
        if (name.equals("run") && type.equals("()V")) callWithThis("began", "(Ljava/lang/Object;)V");
        if (name.equals("exit") && type.equals("()V")) callWithThis("ended", "(Ljava/lang/Thread;)V");
        if (name.equals("interrupt") && type.equals("()V")) callWithThis("interrupting", "(Ljava/lang/Thread;)V");
      }

      private void callWithThis(String hook, String hookType) {
        hasChanged = true;
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, hookType, false);
      }

      /** Calls a hook, which is its name, a space, its type. */
      private void call(String hook) {
        hasChanged = true;
        int space = hook.indexOf(' ');
        super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook.substring(0, space), hook.substring(space + 1), false);
      }

      private void monitor(String hook) {
        hasChanged = true;
        if ((access & Opcodes.ACC_STATIC) != 0) super.visitLdcInsn(Type.getObjectType(own));
        else super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, "(Ljava/lang/Object;)V", false);
      }

      @Override
      public void visitInsn(int opcode) {
        if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN && isSynchronized) monitor("exit");
        boolean isMonitor = opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT;
        if (!isMonitor || isThread || isOfJDK && !own.startsWith("java/util/Timer")) {
          super.visitInsn(opcode);
          return;
        }
        hasChanged = true;
        String hook = opcode == Opcodes.MONITORENTER ? "enter" : "exit";
        super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, "(Ljava/lang/Object;)V", false);
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        if (isSynchronized) {
          super.visitLabel(end);
          super.visitTryCatchBlock(begin, end, end, null);
          Type[] arguments = Type.getArgumentTypes(type);
          boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
          Object[] frame = new Object[arguments.length + (isStatic ? 0 : 1)];
          int count = 0;
          if (!isStatic) frame[count++] = own;
          for (Type argument : arguments) frame[count++] = frameOf(argument);
          super.visitFrame(Opcodes.F_FULL, count, frame, 1, new Object[] {"java/lang/Throwable"});
          monitor("exit");
          super.visitInsn(Opcodes.ATHROW);
        }
        super.visitMaxs(stack, locals);
      }

      private Object frameOf(Type argument) {
        switch (argument.getSort()) {
          case Type.LONG: return Opcodes.LONG;
          case Type.DOUBLE: return Opcodes.DOUBLE;
          case Type.FLOAT: return Opcodes.FLOAT;
          case Type.ARRAY: case Type.OBJECT: return argument.getInternalName();
          default: return Opcodes.INTEGER;
        }
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String field, String fieldType) {
        String all = owner + "." + field;
        boolean isOwn = name.equals("commonPool") || name.equals("<clinit>");
        String pool = !isOfJDK || opcode != Opcodes.GETSTATIC || isOwn ? null
            : all.equals("java/util/concurrent/ForkJoinPool.common")
            ? "commonPool ()Ljava/util/concurrent/ForkJoinPool;"
            : all.equals("java/util/concurrent/CompletableFuture.ASYNC_POOL")
            ? "asyncPool ()Ljava/util/concurrent/Executor;" : null;
        if (pool != null) {
          call(pool);
          return;
        }
        if (opcode != Opcodes.GETSTATIC || !all.equals("android/os/Build$VERSION.SDK_INT")) {
          super.visitFieldInsn(opcode, owner, field, fieldType);
          return;
        }
        // Phones of several releases may be in one JVM.
        hasChanged = true;
        super.visitMethodInsn(Opcodes.INVOKESTATIC, "babbench/android/Phone", "sdk", "()I", false);
      }

      @Override
      public void visitMethodInsn(int opcode, String owner, String called, String calledType, boolean isInterfaces) {
        String hook = opcode == Opcodes.INVOKESTATIC ? hookOfStatic(owner, called, calledType)
            : opcode == Opcodes.INVOKEVIRTUAL ? hookOfVirtual(owner, called, calledType) : null;
        if (hook != null) {
          call(hook);
          return;
        }
        boolean isRandom = owner.equals("java/util/Random") && called.equals("<init>") && calledType.equals("()V");
        if (isRandom && !isOfJDK) {
          hasChanged = true;
          super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "seed", "()J", false);
          super.visitMethodInsn(opcode, owner, called, "(J)V", false);
          return;
        }
        super.visitMethodInsn(opcode, owner, called, calledType, isInterfaces);
      }

      private String hookOfStatic(String owner, String called, String calledType) {
        String all = owner + "." + called;
        switch (all) {
          case "java/lang/System.nanoTime": case "java/lang/System.currentTimeMillis":
            return called + " ()J";
          case "jdk/internal/misc/VM.getNanoTimeAdjustment": return "nanoTimeAdjustment (J)J";
          case "java/lang/Thread.sleep": return isThread || isOfOther(calledType) ? null : "sleep " + calledType;
          case "java/util/concurrent/ForkJoinPool.commonPool": return isOfJDK ? null : "commonPool " + calledType;
          case "java/util/concurrent/CompletableFuture$Delayer.delay": return "delay " + calledType;
          case "java/lang/Thread.yield": return "yield ()V";
          case "java/lang/Thread.holdsLock": return "holdsLock (Ljava/lang/Object;)Z";
          case "java/lang/Math.random": return isOfJDK ? null : "random ()D";
          case "java/util/UUID.randomUUID": return isOfJDK ? null : "randomUUID ()Ljava/util/UUID;";
          default: return null;
        }
      }

      /** Java 19 has another {@code sleep}. */
      private boolean isOfOther(String calledType) {
        return !calledType.equals("(J)V") && !calledType.equals("(JI)V");
      }

      private String hookOfVirtual(String owner, String called, String calledType) {
        switch (called) {
          case "park":
            return owner.equals("jdk/internal/misc/Unsafe") ? "park (Ljdk/internal/misc/Unsafe;ZJ)V" : null;
          case "unpark":
            return owner.equals("jdk/internal/misc/Unsafe")
                ? "unpark (Ljdk/internal/misc/Unsafe;Ljava/lang/Object;)V" : null;
          case "wait":
            if (isThread || !calledType.equals("()V") && !calledType.equals("(J)V") && !calledType.equals("(JI)V")) {
              return null;
            }
            return "wait (Ljava/lang/Object;" + calledType.substring(1);
          case "notify": case "notifyAll":
            return isThread || !calledType.equals("()V") ? null : called + " (Ljava/lang/Object;)V";
          case "join":
            boolean isJoin = calledType.equals("()V") || calledType.equals("(J)V");
            if (!isJoin || isThread || !Rewriter.isThread(owner, loader)) return null;
            return "join (Ljava/lang/Thread;" + calledType.substring(1);
          case "nextBytes":
            boolean isBytes = calledType.equals("([B)V") && !isOfJDK
                && (owner.equals("java/util/Random") || owner.equals("java/security/SecureRandom"));
            return isBytes ? "nextBytes (Ljava/util/Random;[B)V" : null;
          default: return null;
        }
      }
    }
  }
}
