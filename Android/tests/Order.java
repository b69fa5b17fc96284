import java.util.Map;
import java.util.Set;

/** Prints in which order the JDK's sets and maps without an order are read. */
final class Order {
  private Order() {}

  static String of() {
    Set<Integer> numbers = Set.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    return numbers + " " + Set.of("a", "b") + " " + Map.of("a", 1, "b", 2, "c", 3, "d", 4, "e", 5, "f", 6);
  }

  public static void main(String[] arguments) {
    System.out.println(of());
  }
}
