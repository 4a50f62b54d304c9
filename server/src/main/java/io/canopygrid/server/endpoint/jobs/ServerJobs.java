package io.canopygrid.server.endpoint.jobs;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.btree.serve.ServerTalk;
import io.canopygrid.job.JobReport;
import io.canopygrid.server.endpoint.access.Access;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The long jobs of clients at all servers. Each server knows those of which it was told, and asks
 * the others. Thread-safe.
 */
public final class ServerJobs {
  private static final Logger LOG = LoggerFactory.getLogger(ServerJobs.class);
  private static final byte[] LIST = {0};
  private static final int CANCEL = 1;
  private static final byte[] HEARD = {};

  private final ServerTalk talk;
  private final JobBook book;
  private final FlattenJobs flattening;

  /** The jobs of a server, which tells the others of its own from now on. */
  public ServerJobs(ServedNode node) {
    this.talk = node.talk();
    this.book = new JobBook(node.name(), System::nanoTime, System::currentTimeMillis);
    this.flattening = new FlattenJobs(book, System::nanoTime);
    talk.jobsBy(this::answer);
  }

  /** The answer to another server. */
  private byte[] answer(byte[] question) {
    ByteReader in = new ByteReader(question);
    if (in.readByte() != CANCEL) {
      return HeardJob.encode(book.all());
    }
    String id = in.readText();
    book.cancel(id, in.readText());
    return HEARD;
  }

  /**
   * A client tells of its job.
   *
   * @param arguments of {@link JobReport#FUNCTION}
   * @param client the user and address
   * @return its result
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT}; {@link ErrorCode#FORBIDDEN} where
   *     the client may not do such a job
   */
  public byte[] report(byte[] arguments, Access access, String client) {
    JobReport report;
    try {
      report = JobReport.decode(arguments);
    } catch (MalformedBytesException e) {
      throw new CanopyException(ErrorCode.INVALID_ARGUMENT, String.valueOf(e.getMessage()), e);
    }
    HeardJob.check(report, access);
    return book.hear(report, client).getBytes(StandardCharsets.UTF_8);
  }

  /** The flattening of clones, each of which is a job. */
  public FlattenJobs flattening() {
    return flattening;
  }

  /** The jobs at all servers that answer; each once, by the server that heard of it last. */
  public List<HeardJob> all() {
    Map<String, HeardJob> all = new LinkedHashMap<>();
    heard().forEach(job -> all.putIfAbsent(job.report().id(), job));
    return new ArrayList<>(all.values());
  }

  /** The words of all servers about one job; the last one is first. */
  public List<HeardJob> find(String id) {
    return heard().stream().filter(job -> job.report().id().equals(id)).toList();
  }

  /** The words of all servers about all jobs; of each job the last one is first. */
  private List<HeardJob> heard() {
    List<HeardJob> heard = new ArrayList<>(book.all());
    for (byte[] answer : talk.jobsElsewhere(LIST)) {
      try {
        heard.addAll(HeardJob.decode(answer));
      } catch (MalformedBytesException e) {
        LOG.debug("a server's answer has no jobs", e);
      }
    }
    heard.sort(Comparator.comparingLong((HeardJob job) -> job.report().tookMillis()).reversed());
    return heard;
  }

  /**
   * Cancels a job: its client ends it with its next report.
   *
   * @param by the user who does so
   */
  public void cancel(HeardJob job, String by) {
    String id = job.report().id();
    book.cancel(id, by);
    byte[] question =
        new ByteWriter(id.length() + by.length() + 8)
            .writeByte(CANCEL)
            .writeText(id)
            .writeText(by)
            .toBytes();
    talk.jobsElsewhere(question);
  }
}
