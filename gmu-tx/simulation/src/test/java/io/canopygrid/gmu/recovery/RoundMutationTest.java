package io.canopygrid.gmu.recovery;

import static io.canopygrid.gmu.protocol.Replacement.replacing;
import static io.canopygrid.gmu.protocol.Replacement.returning;
import static io.canopygrid.gmu.protocol.Replacement.skipping;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.Replacement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each rule of the round that founds a grid is needed: without it a seed founds two grids. */
final class RoundMutationTest {
  /** A rule that is broken. */
  @SuppressWarnings("ImmutableEnumChecker") // replacements only count their calls
  enum Broken {
    /** A node promises a founding with an id that it has promised to another leader, or lower. */
    PROMISE_NOT_KEPT(returning(RecoveryRound.class, "mayPromise", true)),
    /** A leader does not wait until all that it sees have promised. */
    PROMISED_BY_SOME(returning(RecoveryRound.class, "isPromised", true)),
    /** A topology that not all its members may have installed counts alone. */
    NEWEST_COUNTS_ALONE(
        replacing(
            RecoveryDecision.class, "thatCount", call -> List.of(call.argument(0, Object.class)))),
    /** However few members are there, they found a grid. */
    MINORITY_FOUNDS(returning(RecoveryDecision.class, "areEnough", true)),
    /** A disk that counts as lost counts again when it comes back. */
    LOST_DISK_WINS(
        replacing(
            RecoveryDecision.class,
            "losses",
            call -> ofThoseAway(call.argument(0, Collection.class)))),
    /** A node does not store an operator's word. */
    WORD_FORGOTTEN(skipping(RecoveryRound.class, "store")),
    /** A node promises a founding whose leader has not heard an operator's word. */
    LEADER_HEARD_LESS(returning(RecoveryRound.class, "hasHeardAll", true)),
    /** A word counts where the topology is not known with which it was given. */
    WORD_OF_NEWER_TOPOLOGY(returning(Losses.class, "allow", true)),
    /** The other members that a lost disk has been count. */
    LOST_BY_ONE_NAME(replacing(Losses.class, "extendedBy", call -> call.self()));

    private final List<Replacement> replaced;

    Broken(Replacement replaced) {
      this.replaced = List.of(replaced);
    }

    /** The words on disks of which none is there. */
    private static Losses ofThoseAway(Collection<?> disks) {
      List<Standing> standings = disks.stream().map(Standing.class::cast).toList();
      Losses all = standings.stream().map(Standing::losses).reduce(Losses.NONE, Losses::with);
      Map<NodeId, Long> away = new HashMap<>(all.members());
      standings.forEach(each -> away.keySet().removeAll(each.users()));
      return new Losses(all.words(), away, all.topology(), all.shards());
    }

    void during(Runnable run) {
      Replacement.during(
          replaced,
          () -> {
            run.run();
            return true;
          });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PROMISE_NOT_KEPT, 1, 3, 2",
    "PROMISED_BY_SOME, 1, 3, 2",
    "NEWEST_COUNTS_ALONE, 431, 4, 2",
    "MINORITY_FOUNDS, 2, 4, 2",
  })
  void isCaught(Broken broken, long seed, int size, int owners) {
    assertThatThrownBy(() -> broken.during(() -> run(seed, size, owners)))
        .isInstanceOf(AssertionError.class);
    assertThatCode(() -> run(seed, size, owners)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "LOST_DISK_WINS, 69, 3, 2",
    "WORD_FORGOTTEN, 246, 3, 2",
  })
  void isCaughtWhereDisksAreLost(Broken broken, long seed, int size, int owners) {
    assertThatThrownBy(() -> broken.during(() -> runWithWords(seed, size, owners)))
        .isInstanceOf(AssertionError.class);
    assertThatCode(() -> runWithWords(seed, size, owners)).doesNotThrowAnyException();
  }

  private static void run(long seed, int size, int owners) {
    RoundWorld world = new RoundWorld(seed);
    world.wildly(size, owners);
    world.rest();
  }

  private static void runWithWords(long seed, int size, int owners) {
    RoundWorld world = new RoundWorld(seed);
    world.wildlyWithWords(size, owners);
    world.rest();
  }

  /** Prints the first seeds that catch some, for the table above: {@code [seeds] [names…]}. */
  public static void main(String[] args) {
    for (Broken broken : Broken.values()) {
      for (int size = 3; size <= 5; size++) {
        if (List.of(args).contains(broken.name())) {
          search(broken, Long.parseLong(args[0]), size);
        }
      }
    }
  }

  private static void search(Broken broken, long seeds, int size) {
    int owners = size == 5 ? 3 : 2;
    for (long seed = 1; seed < seeds; seed++) {
      long at = seed;
      try {
        broken.during(() -> {
          if (broken.compareTo(Broken.LOST_DISK_WINS) < 0) {
            run(at, size, owners);
          } else {
            runWithWords(at, size, owners);
          }
        });
      } catch (AssertionError e) {
        System.out.println(broken + ", " + seed + ", " + size + ", " + owners);
        return;
      }
    }
  }
}
