package io.canopygrid.server.endpoint.netty;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.ErrorCode;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.MissingReport;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page at which {@code canopy recover} asks for which disks a node waits, with GET, and says
 * that some are lost, with POST. Its answers are JSON of {@link MissingReport}.
 *
 * <p>The users of a grid are in the grid, which is not there. So where clients must say who they
 * are, a word is taken from this machine only. A page of a browser cannot give it, as it must not
 * send the header.
 */
final class RecoverPage {
  static final String PATH = "/recover";

  /** The header that a word must have. */
  private static final String COMMAND = "canopy-command";

  private static final Logger LOG = LoggerFactory.getLogger(RecoverPage.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TYPE = "application/json";

  private RecoverPage() {}

  /** An answer, of a content type. */
  record Answer(HttpResponseStatus status, String type, String text) {}

  /**
   * Answers a request; may take some seconds.
   *
   * @param disks null: the node does not wait for disks
   * @param isGuarded whether clients must say who they are
   */
  static Answer answer(
      Channel channel, FullHttpRequest request, @Nullable LostDisks disks, boolean isGuarded) {
    if (disks == null) {
      return refused(
          HttpResponseStatus.NOT_FOUND, ErrorCode.INVALID_ARGUMENT, "this node waits for no disks");
    }
    QueryStringDecoder query = new QueryStringDecoder(request.uri());
    List<String> without = query.parameters().getOrDefault("without", List.of());
    if (request.method().equals(HttpMethod.GET)) {
      return json(disks.report(without));
    }
    if (!request.method().equals(HttpMethod.POST) || !request.headers().contains(COMMAND)) {
      return refused(
          HttpResponseStatus.METHOD_NOT_ALLOWED,
          ErrorCode.INVALID_ARGUMENT,
          "use canopy recover --without");
    }
    if (isGuarded && !isOfThisMachine(channel.remoteAddress(), channel.localAddress())) {
      LOG.warn(
          "{} refuses to take disks for lost, as {} says: only this machine may say so",
          ErrorCode.FORBIDDEN,
          channel.remoteAddress());
      return refused(
          HttpResponseStatus.FORBIDDEN,
          ErrorCode.FORBIDDEN,
          "clients of this server must say who they are, and its users are in the grid that is not"
              + " there: run canopy recover on a machine of one of the servers that wait");
    }
    boolean losesShards = query.parameters().containsKey("lose-shards");
    MissingReport report =
        AuditLog.where(isGuarded)
            .change(
                client(channel.remoteAddress()),
                change(without, losesShards),
                () -> disks.lose(without, losesShards),
                answer -> answer.outcome() == MissingReport.Outcome.LOST);
    return json(report);
  }

  /** The users are in the grid that is not there, so nobody knows more of a client. */
  private static String client(SocketAddress remote) {
    return remote instanceof InetSocketAddress internet
        ? internet.getAddress().getHostAddress() + ":" + internet.getPort()
        : String.valueOf(remote);
  }

  private static AuditLog.Change change(List<String> without, boolean losesShards) {
    String disks = without.stream().map(AuditLog::quoted).collect(Collectors.joining(", "));
    String shards = losesShards ? ", with the shards that only they have" : "";
    return new AuditLog.Change("disks.lost", "takes disks " + disks + " for lost" + shards);
  }

  /** Whether both ends of a connection are on one machine. */
  private static boolean isOfThisMachine(SocketAddress remote, SocketAddress local) {
    InetAddress there = address(remote);
    return there != null && (there.isLoopbackAddress() || there.equals(address(local)));
  }

  private static @Nullable InetAddress address(SocketAddress of) {
    return of instanceof InetSocketAddress internet ? internet.getAddress() : null;
  }

  private static Answer json(MissingReport report) {
    try {
      return new Answer(HttpResponseStatus.OK, TYPE, JSON.writeValueAsString(report) + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Answer refused(HttpResponseStatus status, ErrorCode code, String why) {
    return new Answer(status, HttpMessages.PLAIN, code + ": " + why + "\n");
  }
}
