package io.canopygrid.table;

import io.canopygrid.engine.OpenIndex;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.List;

/** Broken rules of tables and their indexes. */
public final class TableBugs {
  /** Nobody looks whether an entry of a unique index is another row's. */
  public static final Replacement UNIQUE_UNCHECKED =
      Replacement.skipping(TypedTableView.class, "checkFree");

  /** The entries of the row before stay. */
  public static final Replacement ENTRIES_STAY =
      Replacement.returning(TypedTableView.class, "isOwn", false);

  /** A full batch counts as the last one. */
  @SuppressWarnings("rawtypes") // the class of a generic type is raw
  public static final Replacement FULL_IS_LAST =
      Replacement.replacing(
          TypedTableReadView.class,
          "some",
          call -> {
            List<?> some = call.proceed(List.class);
            return some.subList(0, Math.min(some.size(), call.argument(2, Integer.class) - 1));
          });

  /** The index whose build has failed is not dropped. */
  public static final Replacement FAILED_STAYS =
      Replacement.returning(TableBuilds.class, "isReadyInsteadOfDropped", false);

  /** Entries of which a node has not heard count as dropped. */
  @SuppressWarnings("rawtypes") // the class of a generic type is raw
  public static final Replacement UNHEARD_IS_DROPPED =
      Replacement.replacing(
          TableSchema.class,
          "storageOf",
          call -> call.proceed() instanceof OpenIndex found && found.isCurrent() ? found : null);

  private TableBugs() {}
}
