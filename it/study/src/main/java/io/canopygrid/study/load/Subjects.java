package io.canopygrid.study.load;

import io.canopygrid.IndexOptions;
import io.canopygrid.study.grid.StudyMember;
import io.canopygrid.study.tree.TreeBuilder;
import io.canopygrid.study.tree.Variant;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Loads records into a tree of each variant, through one node. */
public final class Subjects {
  /** The number of subtrees that the index aims at. */
  private static final int SUBTREES_PER_NODE = 8;

  private static final int SUBTREE_ENTRIES_LEAST = 16;
  private static final int RECORDS_PER_COMMIT = 200;
  private static final int PAGES_PER_COMMIT = 100;
  private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(60);

  private Subjects() {}

  /** Options of an index of so many records that has enough subtrees to be spread. */
  public static IndexOptions options(long records, int nodes) {
    long most = records / ((long) SUBTREES_PER_NODE * nodes);
    long bounded =
        Math.max(SUBTREE_ENTRIES_LEAST, Math.min(most, IndexOptions.DEFAULTS.subtreeEntriesMax()));
    return IndexOptions.DEFAULTS.withSubtreeEntriesMax((int) bounded);
  }

  /**
   * Loads a study tree.
   *
   * @param tree a number of its own
   */
  public static TreeSubject tree(
      StudyMember member, Variant variant, int tree, int arity, Records records) {
    TreeBuilder.Built built =
        new TreeBuilder(member.node(), variant, tree, arity, PAGES_PER_COMMIT)
            .build(records.entries());
    member.trees().saw(built.clock());
    return new TreeSubject(member.trees(), built.layout());
  }

  /** Loads an index, and checks it. */
  public static IndexSubject index(
      StudyMember member, String name, IndexOptions options, Records records) {
    IndexSubject subject = new IndexSubject(member, name, options);
    List<Map.Entry<byte[], byte[]>> entries = List.copyOf(records.entries().entrySet());
    for (int from = 0; from < entries.size(); from += RECORDS_PER_COMMIT) {
      subject.putAll(entries.subList(from, Math.min(from + RECORDS_PER_COMMIT, entries.size())));
    }
    member.canopy().check(subject.index(), CHECK_TIMEOUT);
    return subject;
  }
}
