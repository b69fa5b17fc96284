package babbench.jvm;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/** Classes of apps that were rewritten, for the next launch, which loads the same ones again. */
final class Rewritten {
  private static final int MOST = 20_000;
  private static final ConcurrentHashMap<String, Rewritten> KNOWN = new ConcurrentHashMap<>();

  private final byte[] original;

  /** Null where nothing has to be changed. */
  private final byte[] result;

  private Rewritten(byte[] original, byte[] result) {
    this.original = original;
    this.result = result;
  }

  /** What a class is rewritten to; the same octets give the same. */
  static byte[] of(String name, byte[] octets, ClassLoader loader) {
    Rewritten known = KNOWN.get(name);
    if (known != null && Arrays.equals(known.original, octets)) return known.result;
    byte[] result = Rewriter.rewrite(octets, false, loader);
    if (KNOWN.size() < MOST) KNOWN.put(name, new Rewritten(octets.clone(), result));
    return result;
  }
}
