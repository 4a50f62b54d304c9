package shop;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Index;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.micrometer.CanopyMetrics;
import io.canopygrid.opentelemetry.TransactionSpans;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;

public class Watched {
  public static void main(String[] args) {
    MeterRegistry registry = new SimpleMeterRegistry();
    transfer(registry, GlobalOpenTelemetry.get());
    double commits = registry.get("canopy.transactions.commits").functionCounter().count();
    System.out.println("commits " + (long) commits);
  }

  static void transfer(MeterRegistry registry, OpenTelemetry telemetry) {
    try (Canopy db = EmbeddedCanopy.start()) {
      new CanopyMetrics(db).bindTo(registry);
      db.listen(new TransactionSpans(telemetry));
      Index<Long, Long> accounts = db.index("accounts", Codec.int64(), Codec.int64());
      db.run(tx -> tx.on(accounts).put(1L, 100L));
      db.run(tx -> tx.on(accounts).put(2L, 100L));
      db.run(
          TransactionOptions.labelled("transfer"),
          tx -> {
            tx.on(accounts).compute(1L, (id, cents) -> cents - 30);
            tx.on(accounts).compute(2L, (id, cents) -> cents + 30);
          });
    }
  }
}
