package babbench.jvm;

/** Ends a thread of an app that is over. An app that catches it and blocks again is given it again. */
public final class Killed extends Error {
  private static final long serialVersionUID = 1;

  Killed() {
    super("the app is over", null, false, false);
  }
}
