package babbench.jvm;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads the classes of one launch of an app from the class path, so that they have static fields of their own. What it
 * shares with others is the JDK and the classes of Android.
 *
 * <p>Classes are read and rewritten once, for all launches of a JVM.
 */
public final class AppLoader extends ClassLoader {
  private static final class Known {
    final byte[] octets;
    final URL place;

    Known(byte[] octets, URL place) {
      this.octets = octets;
      this.place = place;
    }
  }

  private static final URLClassLoader FILES = files();
  private static final Map<String, Known> KNOWN = new ConcurrentHashMap<>();
  private final Map<URL, ProtectionDomain> domains = new HashMap<>();

  public AppLoader() {
    super(ClassLoader.getPlatformClassLoader());
  }

  /**
   * Loads what launches before it have loaded, so that its app need not wait for that. No code of the app runs: classes
   * are initialised when they are used.
   */
  public AppLoader prepared() {
    for (String name : KNOWN.keySet()) {
      try {
        // Which links it, too.
        loadClass(name).getDeclaredConstructors();
      } catch (ClassNotFoundException | LinkageError isForTheApp) {
        continue;
      }
    }
    return this;
  }

  private static URLClassLoader files() {
    List<URL> urls = new ArrayList<>();
    try {
      for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(new File(each).toURI().toURL());
      }
    } catch (MalformedURLException problem) {
      throw new IllegalStateException(problem);
    }
    return new URLClassLoader(urls.toArray(new URL[0]), null);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    // The parent has not had it before, and takes its time to say so.
    if (!KNOWN.containsKey(name)) return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) loaded = findClass(name);
      if (resolve) resolveClass(loaded);
      return loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    Known known = KNOWN.get(name);
    if (known == null) {
      known = read(name);
      KNOWN.put(name, known);
    }
    return defineClass(name, known.octets, 0, known.octets.length, domain(known.place));
  }

  private Known read(String name) throws ClassNotFoundException {
    String path = name.replace('.', '/');
    URL url = FILES.findResource(path + ".class");
    if (url == null) throw new ClassNotFoundException(name);
    try {
      URLConnection connection = url.openConnection();
      byte[] octets;
      try (InputStream stream = connection.getInputStream()) {
        octets = stream.readAllBytes();
      }
      byte[] rewritten = Agent.isThere() && Rewriter.isOfApp(path) ? Rewriter.rewrite(octets, false, this) : null;
      return new Known(rewritten == null ? octets : rewritten, place(connection, url, path));
    } catch (IOException problem) {
      throw new ClassNotFoundException(name, problem);
    }
  }

  /** The jar or the folder that a class is in. */
  private static URL place(URLConnection connection, URL url, String path) throws MalformedURLException {
    if (connection instanceof JarURLConnection) return ((JarURLConnection) connection).getJarFileURL();
    String text = url.toString();
    return new URL(text.substring(0, text.length() - path.length() - ".class".length()));
  }

  private ProtectionDomain domain(URL place) {
    synchronized (domains) {
      return domains.computeIfAbsent(place,
          key -> new ProtectionDomain(new CodeSource(key, (Certificate[]) null), null, this, null));
    }
  }

  @Override
  protected URL findResource(String name) {
    return FILES.findResource(name);
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    return FILES.findResources(name);
  }
}
