package babbench.android.stack;

import babbench.android.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntConsumer;

/**
 * Everything at the other end, as Android discovers it: the primary services, then of each what it includes, its
 * characteristics and their descriptors. Nothing else is asked over the link meanwhile.
 */
final class Discovery {
  /** What Android says of a discovery that failed: GATT_INTERNAL_ERROR. */
  private static final int FAILED = 129;

  private final Link link;
  private final IntConsumer done;
  private final List<Remote.Service> services = new ArrayList<>();
  private final ArrayDeque<Runnable> steps = new ArrayDeque<>();
  private final ArrayDeque<Runnable> now = new ArrayDeque<>();
  private int status;

  Discovery(Link link, IntConsumer done) {
    this.link = link;
    this.done = done;
  }

  void begin() {
    Map<String, Object> word = link.word("gatt.discoverServices", "types", List.of());
    link.queue.add(this, word, "gatt.services", answer -> {
      check(answer);
      for (Map<String, Object> each : Words.list(answer, "services")) {
        Remote.Service service = service(each);
        services.add(service);
        steps.add(() -> included(service));
        steps.add(() -> characteristics(service));
      }
      step();
    });
  }

  private static Remote.Service service(Map<String, Object> each) {
    return new Remote.Service(Words.uuid(each, "type"), Words.flag(each, "primary"), Words.number(each, "start"),
        Words.number(each, "end"));
  }

  private void check(Map<String, Object> answer) {
    if (answer.get("error") != null) status = FAILED;
  }

  private void step() {
    Runnable next = status != 0 ? null : now.isEmpty() ? steps.poll() : now.poll();
    if (next != null) {
      next.run();
      return;
    }
    if (status == 0) link.services = services;
    done.accept(status);
  }

  private Map<String, Object> word(String name, Remote.Service service) {
    return link.word(name, "type", Words.uuid(service.type), "primary", service.isPrimary, "start", service.start,
        "end", service.end);
  }

  private void included(Remote.Service service) {
    link.queue.addFirst(this, word("gatt.discoverIncluded", service), "gatt.included", answer -> {
      check(answer);
      for (Map<String, Object> each : Words.list(answer, "services")) {
        Remote.Service found = service(each);
        Remote.Service known = find(found.start);
        service.included.add(known == null ? found : known);
        if (known != null) continue;
        services.add(found);
        steps.add(() -> characteristics(found));
      }
      step();
    });
  }

  private Remote.Service find(int start) {
    for (Remote.Service service : services) if (service.start == start) return service;
    return null;
  }

  private void characteristics(Remote.Service service) {
    link.queue.addFirst(this, word("gatt.discoverCharacteristics", service), "gatt.characteristics", answer -> {
      check(answer);
      for (Map<String, Object> each : Words.list(answer, "characteristics")) {
        UUID type = Words.uuid(each, "type");
        Remote.Characteristic found = new Remote.Characteristic(type, Words.number(each, "properties"),
            Words.number(each, "handle"), Words.number(each, "end"));
        service.characteristics.add(found);
        if (found.end > found.handle) now.add(() -> descriptors(found));
      }
      step();
    });
  }

  private void descriptors(Remote.Characteristic of) {
    Map<String, Object> word = link.word("gatt.discoverDescriptors", "type", Words.uuid(of.type), "properties",
        of.properties, "handle", of.handle, "end", of.end);
    link.queue.addFirst(this, word, "gatt.descriptors", answer -> {
      check(answer);
      for (Map<String, Object> each : Words.list(answer, "descriptors")) {
        of.descriptors.add(new Remote.Descriptor(Words.uuid(each, "type"), Words.number(each, "handle")));
      }
      step();
    });
  }
}
