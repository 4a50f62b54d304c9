package io.canopygrid.btree.embedded;

import io.canopygrid.ClusterConfig;
import io.canopygrid.btree.structure.BalanceSetup;
import io.canopygrid.recovery.LostDisks;
import io.canopygrid.recovery.WaitListener;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The joining of a server, whose operator can say that disks are lost for which it waits. */
public final class ServerJoin {
  private ServerJoin() {}

  /**
   * Joins a cluster.
   *
   * @param waits hears for which disks of other nodes this one waits, and who can be told that they
   *     are lost; also when the node becomes a member again later
   * @throws io.canopygrid.CanopyException as {@link EmbeddedCanopy#join(ClusterConfig)}
   */
  public static EmbeddedCanopy join(ClusterConfig config, WaitListener waits) {
    Last last = new Last(waits);
    EmbeddedCanopy canopy =
        EmbeddedCanopy.balanced(
            ClusterJoin.alone(config, last), BalanceSetup.limits(config.balancing()));
    canopy.served().waitsBy(last.words::get, last.disks::get);
    return canopy;
  }

  /** Keeps what was heard last. */
  private static final class Last implements WaitListener {
    private final WaitListener next;
    private final AtomicReference<String> words = new AtomicReference<>("");
    private final AtomicReference<@Nullable LostDisks> disks = new AtomicReference<>();

    Last(WaitListener next) {
      this.next = next;
    }

    @Override
    public void waits(String why) {
      next.waits(why);
      words.set(why);
    }

    @Override
    public void canBeTold(@Nullable LostDisks round) {
      next.canBeTold(round);
      disks.set(round);
    }
  }
}
