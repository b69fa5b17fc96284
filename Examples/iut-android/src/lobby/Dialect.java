package lobby;

import java.util.UUID;

/** The dialect that the bench wants: {@code sdk} or {@code guide} (bab.md 2). */
final class Dialect {
  static final UUID CONFIGURATION = UUID.fromString("00002902-0000-1000-8000-00805f9b34fb");

  final UUID service;
  final UUID command;
  final UUID state;

  /** What notifies beside the state, or null. */
  final UUID leaderboard;
  private final boolean isGuide;

  Dialect(Object name) {
    isGuide = "guide".equals(name);
    String format = isGuide ? "12345678-1234-1234-1234-123456789a%s" : "0000ba%s-0000-1000-8000-00805f9b34fb";
    String[] ends = isGuide ? new String[] {"bc", "bd", "be"} : new String[] {"b1", "b2", "b3"};
    service = UUID.fromString(String.format(format, ends[0]));
    command = UUID.fromString(String.format(format, ends[1]));
    state = UUID.fromString(String.format(format, ends[2]));
    leaderboard = isGuide ? null : UUID.fromString(String.format(format, "b4"));
  }

  /** What a host is called. */
  String localName(String id) {
    return isGuide ? "BabLanguage Game" : "bab-game-" + id;
  }
}
