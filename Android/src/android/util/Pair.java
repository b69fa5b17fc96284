package android.util;

import java.util.Objects;

/** Two values. */
public class Pair<F, S> {
  public final F first;
  public final S second;

  public Pair(F first, S second) {
    this.first = first;
    this.second = second;
  }

  public static <A, B> Pair<A, B> create(A first, B second) {
    return new Pair<>(first, second);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pair && Objects.equals(first, ((Pair<?, ?>) other).first)
        && Objects.equals(second, ((Pair<?, ?>) other).second);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(first) ^ Objects.hashCode(second);
  }

  @Override
  public String toString() {
    return "Pair{" + first + " " + second + "}";
  }
}
