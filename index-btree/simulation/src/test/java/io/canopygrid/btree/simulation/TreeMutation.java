package io.canopygrid.btree.simulation;

import io.canopygrid.btree.access.commit.TreeAccess;
import io.canopygrid.btree.control.BalancePolicy;
import io.canopygrid.btree.control.GridLoad;
import io.canopygrid.btree.control.PlannedChange;
import io.canopygrid.btree.crown.CrownEntry;
import io.canopygrid.btree.simulation.AlteredNode.Alteration;
import io.canopygrid.btree.subtree.EntryKeys;
import io.canopygrid.btree.subtree.Keys;
import io.canopygrid.btree.subtree.SubtreeHeader;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.TxId;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.protocol.ProtocolBugs;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.protocol.Replacement;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The tree with one rule broken, to prove that the simulation notices. */
enum TreeMutation {
  SHRINK_WITHOUT_HEADER(
      "a split does not write the new end into the header of the subtree that it shrinks",
      altered((footprint, split) ->
          split && isMove(footprint) ? mapped(footprint, w -> unshrunk(footprint, w)) : footprint)),
  MISS_NOT_VALIDATED(
      "a key that was not there is not validated",
      altered((footprint, split) ->
          split ? footprint : reading(footprint, read -> read.seen().writer() != null))),
  KCL_REUSED(
      "all nodes give new subtrees the same kcls, and none looks whether one is in use",
      new TreeBug() {
        @Override
        protected GmuNode face(GmuNode node) {
          Alteration unlooked =
              (footprint, split) ->
                  reading(
                      footprint,
                      read -> !read.key().isHeader() || !read.seen().equals(Seen.ABSENT));
          return new AlteredNode(node, unlooked) {
            @Override
            public NodeId self() {
              return new NodeId(1);
            }
          };
        }
      }),
  HEADER_NOT_LOCKED(
      "a prepare does not lock the headers of the subtrees that it touches",
      ProtocolBugs.HEADERS_NOT_LOCKED),
  PAGES_AHEAD_KEPT(
      "a scan keeps all pages that it asked for at the same time",
      ProtocolBugs.PARALLEL_READS_KEPT),
  LOSS_HIDDEN(
      "what a session has seen hides what a cut took of a caller's token",
      Replacement.returning(TreeAccess.class, "requireKept", null)),
  BACKUP_GUESSES("a backup tells that it has no header of a subtree", ProtocolBugs.BACKUP_GUESSES),
  HEADERS_NOT_JOINED(
      "a write is not above the change of the tree that put its key where it is",
      ProtocolBugs.HEADERS_NOT_JOINED),
  CLOSING_IGNORED(
      "the part of a subtree that is about to be moved is written",
      fenced(
          new AlteredFences() {
            @Override
            public boolean accepts(byte[] header, byte[] ku) {
              return covers(header, ku);
            }
          })),
  FENCE_NOT_VALIDATED(
      "whether a key is still within its subtree's fences is not asked",
      fenced(
          new AlteredFences() {
            @Override
            public boolean covers(byte[] header, byte[] ku) {
              return true;
            }

            @Override
            public boolean accepts(byte[] header, byte[] ku) {
              return true;
            }
          })),
  CROWN_NOT_WRITTEN(
      "a split does not write the crown",
      altered((footprint, split) ->
          split ? writing(footprint, w -> !ReservedKcl.CROWN.has(w.key())) : footprint)),
  CROWN_TOO_LOW(
      "a split's entry in the crown begins below the subtree",
      altered((footprint, split) -> split ? mapped(footprint, TreeMutation::lowered) : footprint)),
  TOMBSTONES_LEFT_OUT(
      "a split leaves the entries that it has moved where they were",
      altered(
          (footprint, split) -> split ? writing(footprint, write -> !isMark(write)) : footprint)),
  ENTRY_LOST(
      "a shift does not copy one of the entries",
      altered((footprint, split) -> split ? withoutFirstCopy(footprint) : footprint)),
  MARKED_WITH_WRITER(
      "where an entry was moved away a tombstone by its own writer is left",
      altered(
          (footprint, split) -> split ? mapped(footprint, w -> owned(footprint, w)) : footprint)),
  LEFT_WITHOUT_HEADER(
      "a shift to the left does not write where the rest begins now",
      altered((footprint, split) ->
          split ? mapped(footprint, w -> unshifted(footprint, w)) : footprint)),
  REDIRECT_LOST(
      "a subtree is retired without a word where its keys went",
      altered(
          (footprint, split) -> split ? mapped(footprint, TreeMutation::unretired) : footprint)),
  CROWN_KEEPS_OLD(
      "a shift leaves in the crown where the subtree began before",
      altered((footprint, split) ->
          split
              ? writing(footprint, w -> !ReservedKcl.CROWN.has(w.key()) || w.value() != null)
              : footprint)),
  MERGE_WITHOUT_CLOSING(
      "a subtree that goes away whole is written meanwhile",
      fenced(
          new AlteredFences() {
            @Override
            public boolean accepts(byte[] header, byte[] ku) {
              return SubtreeHeader.decode(header).closesWhole()
                  ? covers(header, ku)
                  : super.accepts(header, ku);
            }
          })),
  LOW_FENCE_IGNORED(
      "a subtree is taken to have all keys below its end",
      fenced(
          new AlteredFences() {
            @Override
            public boolean covers(byte[] header, byte[] ku) {
              SubtreeHeader decoded = SubtreeHeader.decode(header);
              return !decoded.isRetired() && decoded.isBelowHigh(EntryKeys.userKey(ku));
            }
          })),
  ORIGIN_NOT_KEPT(
      "a split's copies do not keep their writers",
      altered((footprint, split) ->
          split ? mapped(footprint, w -> new Write(w.key(), w.value(), null)) : footprint)),
  REVERSE_SKIPS_FENCE(
      "a scan in reverse does not ask whether the subtree has the end of its range",
      fenced(
          new AlteredFences() {
            @Override
            public boolean coversBelow(byte[] header, byte @Nullable [] to) {
              return true;
            }
          })),
  SPLIT_NOT_VALIDATED(
      "a split does not validate the headers that it replaces",
      altered((footprint, split) -> split ? reading(footprint, read -> false) : footprint)),
  MERGES_WHAT_IT_SPLIT(
      "the controller merges although there are no more subtrees than are wanted",
      decided(real ->
          new AlteredPolicy(real) {
            @Override
            List<PlannedChange> instead(GridLoad grid, List<PlannedChange> changes) {
              return changes.isEmpty() ? mergeOfFirst(grid) : changes;
            }
          })),
  DECIDES_ON_THE_PAST(
      "the controller goes on with what it saw once",
      decided(real ->
          new AlteredPolicy(real) {
            private List<PlannedChange> first = List.of();

            @Override
            List<PlannedChange> instead(GridLoad grid, List<PlannedChange> changes) {
              first = first.isEmpty() ? changes : first;
              return first;
            }
          }));

  /** The rule that is broken. */
  @SuppressWarnings("ImmutableEnumChecker") // a bug has no state, replacements count their calls
  final BrokenRule rule;

  TreeMutation(String what, TreeBug bug) {
    rule = BrokenRule.of(what, bug);
  }

  TreeMutation(String what, Replacement... replaced) {
    rule = BrokenRule.of(what, replaced);
  }

  private static TreeBug altered(Alteration alteration) {
    return new TreeBug() {
      @Override
      protected GmuNode face(GmuNode node) {
        return new AlteredNode(node, alteration);
      }
    };
  }

  private static TreeBug fenced(Fences fences) {
    return new TreeBug() {
      @Override
      protected ProtocolNode node(
          NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences real) {
        return new ProtocolNode(id, shards, config, stores, fences);
      }
    };
  }

  private static TreeBug decided(UnaryOperator<BalancePolicy> policy) {
    return new TreeBug() {
      @Override
      protected BalancePolicy policy(BalancePolicy real) {
        return policy.apply(real);
      }
    };
  }

  private static boolean isMove(Footprint footprint) {
    return footprint.writes().size() > 1;
  }

  private static Footprint reading(Footprint footprint, Predicate<KeyRead> kept) {
    List<KeyRead> reads = footprint.reads().stream().filter(kept).toList();
    return new Footprint(reads, footprint.ranges(), footprint.writes());
  }

  private static Footprint writing(Footprint footprint, Predicate<Write> kept) {
    List<Write> writes = footprint.writes().stream().filter(kept).toList();
    return new Footprint(footprint.reads(), footprint.ranges(), writes);
  }

  private static Footprint mapped(Footprint footprint, Function<Write, Write> instead) {
    List<Write> writes = footprint.writes().stream().map(instead).toList();
    return new Footprint(footprint.reads(), footprint.ranges(), writes);
  }

  /** The header of the subtree that was shrunk with its old end, which the new one has now. */
  private static Write unshrunk(Footprint move, Write write) {
    if (!write.key().equals(move.reads().get(0).key()) || write.value() == null) {
      return write;
    }
    SubtreeHeader own = SubtreeHeader.decode(write.value());
    if (own.isRetired()) {
      return write;
    }
    for (Write other : move.writes()) {
      if (other.key().equals(CompositeKey.header(own.right())) && other.value() != null) {
        SubtreeHeader taken = SubtreeHeader.decode(other.value());
        SubtreeHeader old =
            new SubtreeHeader(
                own.index(),
                own.entriesMax(),
                own.low(),
                taken.high(),
                own.left(),
                taken.right(),
                own.cameFrom(),
                null,
                SubtreeHeader.NONE,
                own.schema());
        return new Write(write.key(), old.encode(), null);
      }
    }
    return write;
  }

  /** The header of a subtree that gave its lower part away, as if it had not. */
  private static Write unshifted(Footprint move, Write write) {
    if (!move.reads().isEmpty()
        && write.key().equals(move.reads().get(0).key())
        && write.value() != null) {
      SubtreeHeader own = SubtreeHeader.decode(write.value());
      for (Write other : move.writes()) {
        boolean began = ReservedKcl.CROWN.has(other.key()) && other.value() == null;
        byte[] low = began ? CrownEntry.separator(other.key().ku()) : own.low();
        if (!own.isRetired() && Keys.ORDER.compare(low, own.low()) < 0) {
          return new Write(write.key(), own.withLow(low, own.left()).encode(), null);
        }
      }
    }
    return write;
  }

  private static Write unretired(Write write) {
    boolean retired =
        write.key().isHeader()
            && write.value() != null
            && SubtreeHeader.decode(write.value()).isRetired();
    return retired ? new Write(write.key(), null, null) : write;
  }

  private static boolean isMark(Write write) {
    return write.value() == null && TxId.NOBODY.equals(write.origin());
  }

  private static Footprint withoutFirstCopy(Footprint shift) {
    boolean[] left = new boolean[1];
    return writing(
        shift,
        write -> {
          boolean first = !left[0] && write.value() != null && write.origin() != null;
          left[0] |= first;
          return !first;
        });
  }

  /** A mark with the writer of the copy. */
  private static Write owned(Footprint shift, Write write) {
    if (isMark(write)) {
      for (Write other : shift.writes()) {
        if (other.origin() != null
            && other.value() != null
            && Arrays.equals(other.key().ku(), write.key().ku())) {
          return new Write(write.key(), null, other.origin());
        }
      }
    }
    return write;
  }

  private static Write lowered(Write write) {
    CompositeKey key = write.key();
    byte[] ku = key.ku();
    boolean begins = ReservedKcl.CROWN.has(key) && write.value() != null;
    if (!begins || CrownEntry.separator(ku).length == 0) {
      return write;
    }
    byte[] lower = Arrays.copyOf(ku, ku.length - 1);
    return new Write(CompositeKey.of(key.kcl(), lower), write.value(), write.origin());
  }
}
