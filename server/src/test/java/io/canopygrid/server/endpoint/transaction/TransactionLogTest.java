package io.canopygrid.server.endpoint.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests which transactions are logged, and how many lines. */
final class TransactionLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(TransactionLog.LOGGER);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void aFastTransactionIsNotLogged() {
    log(100, LoggedAborts.ALL, 10).ended(took(100, 10, 80));

    assertThat(lines.list).isEmpty();
  }

  @Test
  void aSlowOneIsLoggedWithWhatTookTheTime() {
    TransactionLog log = log(100, LoggedAborts.ALL, 10);

    log.ended(took(101, 10, 80));
    log.ended(took(200, 150, 10));
    log.ended(took(5_000, 10, 10));
    log.ended(took(1_000, 600, 150, 200));

    assertThat(messages())
        .containsExactly(
            "transaction n1-7 'transfer' of ada@10.0.0.7:51 was slow: 101 ms, most of it in its"
                + " commit, for locks and the copies on other nodes: 80 ms",
            "transaction n1-7 'transfer' of ada@10.0.0.7:51 was slow: 200 ms, most of it reading:"
                + " 150 ms for 4 requests, which asked other nodes 3 times",
            "transaction n1-7 'transfer' of ada@10.0.0.7:51 was slow: 5000 ms, most of it between"
                + " the requests of its client: 4980 ms",
            "transaction n1-7 'transfer' of ada@10.0.0.7:51 was slow: 1000 ms, most of it waiting"
                + " for a thread of this server, all of which were busy: 600 ms");
    assertThat(log.slow()).isEqualTo(4);
    assertThat(fields(0))
        .containsEntry("transaction", "n1-7")
        .containsEntry("label", "transfer")
        .containsEntry("millis", "101");
  }

  @Test
  void aFunctionIsLoggedByItsName() {
    TransactionLog log = log(100, LoggedAborts.FAILED, 10);
    TransactionLog.Ended ended =
        new TransactionLog.Ended("", "move", "night", "ada", 1, 3, 101_000_000, 0, 101_000_000, 0);

    log.ended(ended);
    log.ended(
        new TransactionLog.Ended("", "move", "", "ada", 1, 0, 400_000_000, 300_000_000, 9, 0));
    log.aborted(ended, error(ErrorCode.FUNCTION_FAILED, "it threw"), "");

    assertThat(messages())
        .containsExactly(
            "function 'move' 'night' of ada was slow: 101 ms, most of it running, commit and"
                + " conflicts included: 101 ms, which asked other nodes 3 times",
            "function 'move' of ada was slow: 400 ms, most of it waiting for a thread of this"
                + " server, all of which were busy: 300 ms",
            "function 'move' 'night' of ada was aborted after 101 ms: CNPY-3017 FUNCTION_FAILED:"
                + " it threw");
    assertThat(fields(0)).containsEntry("function", "move");
  }

  @Test
  void withoutAThresholdNoneIsSlow() {
    log(0, LoggedAborts.ALL, 10).ended(took(100_000, 0, 0));

    assertThat(lines.list).isEmpty();
  }

  @Test
  void anAbortedOneIsLoggedWithCodeAndReason() {
    TransactionLog log = log(100, LoggedAborts.FAILED, 10);

    log.aborted(took(12, 1, 1), error(ErrorCode.TIMEOUT, "its time is over"), "");
    log.aborted(took(13, 1, 1), null, "its client has gone");

    assertThat(messages())
        .containsExactly(
            "transaction n1-7 'transfer' of ada@10.0.0.7:51 was aborted after 12 ms: CNPY-2007"
                + " TIMEOUT: its time is over; most of it between the requests of its client: 10"
                + " ms",
            "transaction n1-7 'transfer' of ada@10.0.0.7:51 was aborted after 13 ms: its client has"
                + " gone");
    assertThat(fields(0))
        .containsEntry("code", "CNPY-2007")
        .containsEntry("commitState", "NOT_COMMITTED");
  }

  @Test
  void aConflictThatIsRunAgainStaysBelowInfoUnlessWanted() {
    CanopyException conflict = error(ErrorCode.WRITE_CONFLICT, "key 7 was written");
    logger.setLevel(Level.DEBUG);

    log(100, LoggedAborts.FAILED, 10).aborted(took(1, 1, 1), conflict, "");
    log(100, LoggedAborts.ALL, 10).aborted(took(1, 1, 1), conflict, "");

    assertThat(lines.list)
        .extracting(ILoggingEvent::getLevel)
        .containsExactly(Level.DEBUG, Level.INFO);
  }

  @Test
  void noneMeansNone() {
    log(100, LoggedAborts.NONE, 10)
        .aborted(took(1, 1, 1), error(ErrorCode.TIMEOUT, "its time is over"), "");

    assertThat(lines.list).isEmpty();
  }

  @Test
  void aFloodIsCountedAndToldInTheNextMinute() {
    TransactionLog log = log(1, LoggedAborts.ALL, 3);

    for (int i = 0; i < 100; i++) {
      log.ended(took(10, 1, 1));
    }
    assertThat(lines.list).hasSize(3);
    assertThat(log.leftOut()).isEqualTo(97);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
    log.ended(took(10, 1, 1));
    assertThat(lines.list).hasSize(3);

    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    log.ended(took(10, 1, 1));
    assertThat(messages().get(3))
        .isEqualTo("98 more slow or aborted transactions were not logged, as there were too many");
    assertThat(lines.list).hasSize(5);
  }

  @Test
  void aLabelCannotForgeALine() {
    log(1, LoggedAborts.ALL, 3)
        .ended(new TransactionLog.Ended("n1-7", "", "a\nb", "c", 1, 1, 1_000_000_000, 0, 1, 1));

    assertThat(messages().get(0)).contains("'a?b'").doesNotContain("\n");
  }

  private TransactionLog log(long slowMillis, LoggedAborts aborts, int linesMax) {
    return new TransactionLog(
        new TransactionLog.Settings(slowMillis, aborts, linesMax), nanos::get);
  }

  private static CanopyException error(ErrorCode code, String detail) {
    return new CanopyException(code, detail);
  }

  private static TransactionLog.Ended took(long millis, long busyMillis, long commitMillis) {
    return took(millis, 0, busyMillis, commitMillis);
  }

  private static TransactionLog.Ended took(
      long millis, long queuedMillis, long busyMillis, long commitMillis) {
    return new TransactionLog.Ended(
        "n1-7",
        "",
        "transfer",
        "ada@10.0.0.7:51",
        4,
        3,
        TimeUnit.MILLISECONDS.toNanos(millis),
        TimeUnit.MILLISECONDS.toNanos(queuedMillis),
        TimeUnit.MILLISECONDS.toNanos(busyMillis),
        TimeUnit.MILLISECONDS.toNanos(commitMillis));
  }

  private List<String> messages() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private Map<String, String> fields(int line) {
    return lines.list.get(line).getKeyValuePairs().stream()
        .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
  }
}
