package io.canopygrid.server.endpoint.http;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.config.Configuration;
import io.canopygrid.console.ConsoleFiles;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.catalog.CatalogRequests;
import io.canopygrid.server.endpoint.metrics.EndpointMetrics;
import io.canopygrid.server.endpoint.transaction.AutoCommit;
import io.canopygrid.server.endpoint.transaction.TransactionService;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP API of one server: finds the route of a request, and answers it. Thread-safe. */
public final class Api {
  /** The beginning of all paths of the API, of whichever version. */
  public static final String PREFIX = "/api/";

  /** The path of the description, which everybody may read. */
  public static final String DESCRIPTION = "/api/v1/openapi.json";

  /** Whether a path is answered here: one of the API, of whichever version, or the console's. */
  public static boolean isPath(String path) {
    return path.startsWith(PREFIX) || ConsoleFiles.isPath(path);
  }

  /** Whether everybody may ask for a path: what is there says nothing of the cluster. */
  public static boolean isOpen(String path) {
    return path.equals(DESCRIPTION) || ConsoleFiles.isPath(path);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Api.class);

  private final EndpointMetrics metrics;
  private final List<Route> routes = new ArrayList<>();

  /**
   * The API of a server.
   *
   * @param settings those of the server, without secrets
   * @param metricsShown whether figures are told
   * @param audit takes down changes that are made here
   */
  public Api(
      TransactionService transactions,
      CatalogRequests catalog,
      EndpointMetrics metrics,
      boolean metricsShown,
      AuditLog audit,
      List<Configuration.Effective> settings) {
    this.metrics = metrics;
    ConsoleFiles.load();
    AutoCommit autoCommit = new AutoCommit(transactions);
    byte[] description = description();
    routes.add(
        new Route(
            "GET",
            DESCRIPTION,
            call -> new ApiResponse(200, ApiResponse.JSON, description, Map.of())));
    routes.addAll(new EntryRoutes(transactions.node(), autoCommit).all());
    routes.add(new TransactionRoute(transactions.node(), autoCommit).route());
    routes.addAll(new IndexRoutes(transactions.node(), catalog).all());
    routes.addAll(new CloneRoutes(catalog).all());
    StructureRoutes structure = new StructureRoutes(transactions.node(), catalog);
    routes.add(structure.route());
    JobRoutes jobs = new JobRoutes(structure, transactions.jobs(), audit);
    routes.addAll(jobs.all());
    ServerRoutes server =
        new ServerRoutes(transactions.node(), catalog, metrics, metricsShown, settings);
    routes.addAll(server.all());
    routes.addAll(new UpgradeRoutes(transactions.node(), audit).all());
    ClientRoutes clients = new ClientRoutes(transactions.node(), catalog);
    routes.addAll(clients.all());
    routes.add(new HorizonRoute(transactions.node()).route());
    routes.add(new HotRoute(transactions.node(), catalog).route());
    routes.add(new ChangeRoute(transactions).route());
    routes.addAll(new HeatRoute(transactions.node()).all());
    routes.addAll(new ExplainRoutes(transactions.node(), transactions.explained()).all());
    routes.add(
        new EventRoute(
                Map.of(
                    "cluster",
                    server::cluster,
                    "transactions",
                    clients::counts,
                    "jobs",
                    jobs::list))
            .route());
  }

  private static byte[] description() {
    try (InputStream in = Api.class.getResourceAsStream("openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("the description of the API is missing");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The routes that are served, as methods and templates of paths. */
  public List<String> routes() {
    return routes.stream().map(route -> route.method() + " " + route.template()).toList();
  }

  /** The answer to a request; may block. */
  public ApiResponse answer(ApiRequest request) {
    String served = "none";
    ApiResponse answer;
    try {
      int question = request.target().indexOf('?');
      String path = question < 0 ? request.target() : request.target().substring(0, question);
      if (ConsoleFiles.isPath(path)) {
        return ConsolePages.answer(request, path);
      }
      Match match = match(request.method(), path);
      served = match.route().method() + " " + match.route().template();
      Map<String, String> parts = new TreeMap<>();
      match.parts().forEach((name, part) -> parts.put(name, PercentText.decode(part, false)));
      Map<String, String> query =
          question < 0 ? Map.of() : PercentText.query(request.target().substring(question + 1));
      answer = match.route().handler().answer(new Call(request, parts, query));
    } catch (RefusedException e) {
      answer = e.answer();
    } catch (RuntimeException e) {
      answer = failed(request, e);
    }
    ApiResponse.Turns turns = answer.turns();
    if (answer.isLater() && turns != null) {
      return answer.by(new ToldTurns(request, served, turns));
    }
    metrics.answered(served, answer.status());
    return turns == null ? answer : answer.by(new ToldTurns(request, null, turns));
  }

  /** Turns whose errors are answers, and whose answer is counted. */
  private final class ToldTurns implements ApiResponse.Turns {
    private final ApiRequest request;
    private final @Nullable String served;
    private final ApiResponse.Turns turns;

    /**
     * @param served the route whose answers are counted; null: it was counted
     */
    ToldTurns(ApiRequest request, @Nullable String served, ApiResponse.Turns turns) {
      this.request = request;
      this.served = served;
      this.turns = turns;
    }

    @Override
    public @Nullable ApiResponse next() {
      ApiResponse answer;
      try {
        answer = turns.next();
      } catch (RuntimeException e) {
        answer = failed(request, e);
      }
      if (answer != null && served != null) {
        metrics.answered(served, answer.status());
      }
      return answer;
    }

    @Override
    public long pauseMillis() {
      return turns.pauseMillis();
    }

    @Override
    public void close() {
      turns.close();
    }
  }

  /**
   * A route that a path is of.
   *
   * @param parts of the path by their names, as they were sent
   */
  private record Match(Route route, Map<String, String> parts) {}

  /** The route of a path that has the method; a HEAD is a GET whose body is not sent. */
  private Match match(String method, String path) throws RefusedException {
    String wanted = method.equals("HEAD") ? "GET" : method;
    List<String> allowed = new ArrayList<>();
    for (Route route : routes) {
      Map<String, String> parts = route.match(path);
      if (parts != null && route.method().equals(wanted)) {
        return new Match(route, parts);
      }
      if (parts != null) {
        allowed.add(route.method());
      }
    }
    if (allowed.isEmpty()) {
      throw new RefusedException(404, "there is no such path; " + DESCRIPTION + " has all");
    }
    String methods = String.join(", ", allowed);
    throw new RefusedException(405, "the path has " + methods, methods);
  }

  private ApiResponse failed(ApiRequest request, RuntimeException failure) {
    CanopyException e =
        failure instanceof CanopyException coded
            ? coded
            : new CanopyException(
                ErrorCode.INTERNAL_ERROR, failure.toString(), CommitState.UNKNOWN, null, failure);
    metrics.failed(e.code());
    if (e.code() == ErrorCode.INTERNAL_ERROR) {
      LOG.error("a request of {} failed", request.client(), e);
    } else {
      LOG.debug("a request of {} failed: {}", request.client(), e.getMessage());
    }
    return ProblemAnswer.of(e);
  }
}
