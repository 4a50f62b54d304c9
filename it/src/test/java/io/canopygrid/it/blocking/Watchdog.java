package io.canopygrid.it.blocking;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;

/**
 * Notes every blocking call on a thread that must not block, by BlockHound: Infinispan's
 * non-blocking threads and Netty's event loops (both bring the rules for themselves along), the
 * nodes' timers, and JGroups' threads for as long as they are in this project's code. A call that
 * blocks goes through all the same, so nothing behaves otherwise than it does unwatched.
 *
 * <p>Waiting for a monitor ({@code synchronized}) is not seen.
 */
final class Watchdog {
  private static final Pattern TIMERS = Pattern.compile("canopy-timer.*");

  /** Netty's kind of thread, but made to wait. */
  private static final Pattern WORKERS = Pattern.compile("canopy-client-worker.*");

  private static final Pattern JGROUPS = Pattern.compile("(jgroups|TQ|Timer|Connection).*");

  /**
   * The methods of Canopy that JGroups' threads run; outside of them these threads block as JGroups
   * likes.
   */
  private static final List<Place> ENTRANCES =
      List.of(
          new Place("io.canopygrid.gmu.infinispan.transport.ForkTransport", "receive", "a message"),
          new Place(
              "io.canopygrid.gmu.infinispan.transport.ForkTransport", "viewAccepted", "a view"),
          new Place("io.canopygrid.gmu.node.CallTable", "received", "a question or an answer"));

  /** The places that may block in whatever they call. */
  private static final List<Place> ALLOWED =
      List.of(
          new Place(
              "java.util.concurrent.ThreadPoolExecutor",
              "getTask",
              "a thread of a pool waits for its next task"),
          new Place(
              "io.canopygrid.gmu.infinispan.transport.ForkTransport",
              "send",
              "who sends writes to a socket that has room for it, as far as one knows"),
          new Place(
              "io.canopygrid.gmu.infinispan.transport.CombiningQueue",
              "run",
              "the same sending, on the thread that took it over; it gives way once before"),
          queue("ScheduledThreadPoolExecutor$DelayedWorkQueue", "offer"),
          queue("ScheduledThreadPoolExecutor$DelayedWorkQueue", "remove"),
          queue("LinkedBlockingQueue", "offer"),
          queue("ThreadPoolExecutor", "addWorker"));

  /** The places that may block themselves, but not in what they call. */
  private static final List<Place> ALLOWED_ITSELF =
      List.of(
          new Place(
              "io.canopygrid.gmu.node.ProtocolLock",
              "enter",
              "held for microseconds, and never while something is waited for"),
          order("send"),
          order("heard"),
          order("end"));

  private static final Watchdog INSTALLED = new Watchdog();

  private final ConcurrentLinkedQueue<Bark> barks = new ConcurrentLinkedQueue<>();

  private Watchdog() {
    BlockHound.builder()
        .loadIntegrations()
        .nonBlockingThreadPredicate(known -> thread -> mustNotBlock(thread, known))
        .addDynamicThreadPredicate(Watchdog::isOfJGroups)
        .blockingMethodCallback(this::note)
        .install();
  }

  private static Place order(String method) {
    String why = "a client's lock, held while a request is made and handed to Netty";
    return new Place("io.canopygrid.client.netty.Connection", method, why);
  }

  private static Place queue(String type, String method) {
    String why = "a queue's lock, held for microseconds while a task is handed over";
    return new Place("java.util.concurrent." + type, method, why);
  }

  /**
   * A thread of JGroups may have been started by one of Infinispan's that must not block, and is in
   * its thread group then: of these threads the rules that others brought along say nothing.
   *
   * @param known the rules that Infinispan and Netty brought along
   */
  private static boolean mustNotBlock(Thread thread, Predicate<Thread> known) {
    if (isOfJGroups(thread)) {
      return isInOurCode(thread);
    }
    return (known.test(thread) || isTimer(thread)) && !isWorker(thread);
  }

  private static boolean isTimer(Thread thread) {
    return TIMERS.matcher(thread.getName()).matches();
  }

  private static boolean isWorker(Thread thread) {
    return WORKERS.matcher(thread.getName()).matches();
  }

  private static boolean isOfJGroups(Thread thread) {
    return JGROUPS.matcher(thread.getName()).matches();
  }

  /** Asked by BlockHound before each call that blocks. */
  private static boolean isInOurCode(Thread thread) {
    return thread.equals(Thread.currentThread())
        && StackWalker.getInstance()
            .walk(frames ->
                frames.anyMatch(frame ->
                    ENTRANCES.stream()
                        .anyMatch(at -> at.is(frame.getClassName(), frame.getMethodName()))));
  }

  private void note(BlockingMethod method) {
    Thread thread = Thread.currentThread();
    Bark bark = new Bark(thread.getName(), method.toString(), List.of(thread.getStackTrace()));
    if (!bark.isAllowed()) {
      barks.add(bark);
    }
  }

  /** The one of this JVM; from its first use on everything is watched. */
  static Watchdog installed() {
    return INSTALLED;
  }

  /** The barks noted so far. */
  List<Bark> barks() {
    return List.copyOf(barks);
  }

  /** Takes out what was noted of threads whose names begin so. */
  List<Bark> takeOf(String name) {
    List<Bark> taken = barks.stream().filter(bark -> bark.thread().startsWith(name)).toList();
    barks.removeAll(taken);
    return taken;
  }

  /**
   * A method.
   *
   * @param why for a reader
   */
  private record Place(String type, String method, String why) {
    boolean is(String someType, String someMethod) {
      return type.equals(someType) && method.equals(someMethod);
    }

    boolean is(StackTraceElement element) {
      return is(element.getClassName(), element.getMethodName());
    }
  }

  /** A blocking call, and where it was made. */
  record Bark(String thread, String method, List<StackTraceElement> stack) {
    private static final Pattern MACHINERY =
        Pattern.compile("(java|jdk|sun|reactor\\.blockhound)\\..*|.*\\.Watchdog\\b.*");

    boolean isAllowed() {
      StackTraceElement itself =
          stack.stream()
              .filter(at -> !MACHINERY.matcher(at.getClassName()).matches())
              .findFirst()
              .orElse(null);
      return stack.stream().anyMatch(at -> ALLOWED.stream().anyMatch(place -> place.is(at)))
          || (itself != null && ALLOWED_ITSELF.stream().anyMatch(place -> place.is(itself)));
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(thread + " called " + method);
      stack.forEach(element -> text.append("\n\tat ").append(element));
      return text.append('\n').toString();
    }
  }
}
