package android.content;

import java.util.ArrayList;
import java.util.List;

/** Actions that a receiver wants. */
public class IntentFilter {
  public static final int SYSTEM_HIGH_PRIORITY = 1_000;

  private final List<String> actions = new ArrayList<>();
  private int priority;

  public IntentFilter() {}

  public IntentFilter(String action) {
    actions.add(action);
  }

  public final void addAction(String action) {
    if (!actions.contains(action)) actions.add(action);
  }

  public final boolean hasAction(String action) {
    return actions.contains(action);
  }

  public final int countActions() {
    return actions.size();
  }

  public final String getAction(int index) {
    return actions.get(index);
  }

  public final void setPriority(int priority) {
    this.priority = priority;
  }

  public final int getPriority() {
    return priority;
  }
}
