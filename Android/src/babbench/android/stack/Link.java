package babbench.android.stack;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A connection, whoever asked for it, with the queue of what this phone asks over it: one request at a time. */
public final class Link {
  final Stack stack;
  final int number;
  final String address;
  final boolean isOutgoing;

  /** Apps' clients that use it; when the last one leaves, the link ends. */
  final Set<ClientCore> holders = new LinkedHashSet<>();
  final OperationQueue queue;
  int attMTU = 23;

  /** 1 is LE 1M, 2 is LE 2M, 3 is LE Coded. */
  int txPHY = 1;
  int rxPHY = 1;

  /** Whether an exchange of ATT_MTU has been asked for; Android 14 and later ask once. */
  boolean hasAskedForMTU;

  /** What discovery found, or null. */
  List<Remote.Service> services;

  Link(Stack stack, int number, String address, boolean isOutgoing) {
    this.stack = stack;
    this.number = number;
    this.address = address;
    this.isOutgoing = isOutgoing;
    queue = new OperationQueue(this);
  }

  Map<String, Object> word(String name, Object... members) {
    Map<String, Object> word = babbench.android.Words.word(name, "link", number);
    for (int index = 0; index < members.length; index += 2) word.put((String) members[index], members[index + 1]);
    return word;
  }

  /** Masks: 1 is LE 1M, 2 LE 2M, 4 LE Coded. Options: 1 is two symbols a bit on LE Coded, 2 is eight. */
  Map<String, Object> preferPHY(int tx, int rx, int options) {
    Map<String, Object> word = word("gap.preferPHY", "tx", tx, "rx", rx);
    if (options == 1 || options == 2) word.put("coding", options);
    return word;
  }
}
