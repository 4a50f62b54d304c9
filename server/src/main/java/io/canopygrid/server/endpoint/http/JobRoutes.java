package io.canopygrid.server.endpoint.http;

import io.canopygrid.job.JobReport;
import io.canopygrid.server.endpoint.access.AuditLog;
import io.canopygrid.server.endpoint.access.Right;
import io.canopygrid.server.endpoint.jobs.HeardJob;
import io.canopygrid.server.endpoint.jobs.ServerJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs under way, and those that have ended of late: changes of structure, which nodes make,
 * and long jobs of clients, which can be cancelled. Thread-safe.
 */
final class JobRoutes {
  private final StructureRoutes structure;
  private final ServerJobs jobs;
  private final AuditLog audit;

  JobRoutes(StructureRoutes structure, ServerJobs jobs, AuditLog audit) {
    this.structure = structure;
    this.jobs = jobs;
    this.audit = audit;
  }

  List<Route> all() {
    return List.of(
        new Route("GET", "/api/v1/jobs", this::list),
        new Route("POST", "/api/v1/jobs/{job}/cancel", this::cancel));
  }

  /** All that the sender may know of; an event, too. */
  ApiResponse list(Call call) {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    List<Map<String, @Nullable Object>> rows = new ArrayList<>(structure.changes(call));
    for (HeardJob job : jobs.all()) {
      if (job.isShownTo(call.access())) {
        rows.add(JobJson.of(job, call.access()));
      }
    }
    return ApiResponse.of(200, Map.of("jobs", rows));
  }

  private ApiResponse cancel(Call call) throws RefusedException {
    call.checkQuery();
    call.checkNoBody();
    call.access().check(Right.READ, "");
    String id = call.part("job");
    List<HeardJob> found = jobs.find(id);
    if (found.isEmpty()) {
      throw new RefusedException(404, "no server that answers knows a job of this id");
    }
    // Of each server's word, as a client may have said two of them something else.
    found.forEach(job -> job.checkIsOf(call.access()));
    HeardJob job = found.get(0);
    if (!job.isRunning()) {
      throw new RefusedException(409, "the job is not under way any more");
    }
    audit.change(
        call.client(),
        new AuditLog.Change("job.cancel", "cancels " + words(job.report())),
        () -> {
          jobs.cancel(job, call.client());
          return id;
        },
        done -> true);
    return ApiResponse.of(200, JobJson.of(jobs.find(id).get(0), call.access()));
  }

  private static String words(JobReport report) {
    String kind = "the " + report.kind().name().toLowerCase(Locale.ROOT);
    return report.name().isEmpty() ? kind : kind + " of index " + AuditLog.quoted(report.name());
  }
}
