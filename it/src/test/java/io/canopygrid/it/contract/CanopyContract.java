package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.ErrorCode;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestClassOrder;

/**
 * The contract of the public API, by themes. Each implementation extends this class and supplies a
 * cluster of three nodes.
 */
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
abstract class CanopyContract {
  /** The cluster under test, the same for all tests. */
  abstract ContractGrid grid();

  @Nested
  final class Indexes extends IndexesContract {
    Indexes() {
      super(grid());
    }
  }

  @Nested
  final class Codecs extends CodecsContract {
    Codecs() {
      super(grid());
    }
  }

  @Nested
  final class Reads extends ReadsContract {
    Reads() {
      super(grid());
    }
  }

  @Nested
  final class Ranges extends RangesContract {
    Ranges() {
      super(grid());
    }
  }

  @Nested
  final class Writes extends WritesContract {
    Writes() {
      super(grid());
    }
  }

  @Nested
  final class Cursors extends CursorsContract {
    Cursors() {
      super(grid());
    }
  }

  @Nested
  final class Maps extends MapsContract {
    Maps() {
      super(grid());
    }
  }

  @Nested
  final class Transactions extends TransactionsContract {
    Transactions() {
      super(grid());
    }
  }

  @Nested
  final class Isolation extends IsolationContract {
    Isolation() {
      super(grid());
    }
  }

  @Nested
  final class Tokens extends TokensContract {
    Tokens() {
      super(grid());
    }
  }

  @Nested
  final class Snapshots extends SnapshotsContract {
    Snapshots() {
      super(grid());
    }
  }

  @Nested
  final class TimeTravel extends TimeTravelContract {
    TimeTravel() {
      super(grid());
    }
  }

  @Nested
  final class Feeds extends FeedsContract {
    Feeds() {
      super(grid());
    }
  }

  @Nested
  final class Clones extends ClonesContract {
    Clones() {
      super(grid());
    }
  }

  @Nested
  final class CloneLives extends CloneLivesContract {
    CloneLives() {
      super(grid());
    }
  }

  @Nested
  final class Functions extends FunctionsContract {
    Functions() {
      super(grid());
    }
  }

  @Nested
  final class Loads extends LoadsContract {
    Loads() {
      super(grid());
    }
  }

  @Nested
  final class Tables extends TablesContract {
    Tables() {
      super(grid());
    }
  }

  @Nested
  final class TableErrors extends TableErrorsContract {
    TableErrors() {
      super(grid());
    }
  }

  @Nested
  final class Drops extends DropsContract {
    Drops() {
      super(grid());
    }
  }

  @Nested
  final class Async extends AsyncContract {
    Async() {
      super(grid());
    }
  }

  @Nested
  final class Publishers extends PublishersContract {
    Publishers() {
      super(grid());
    }
  }

  @Nested
  final class Stats extends StatsContract {
    Stats() {
      super(grid());
    }
  }

  @Nested
  final class Listeners extends ListenersContract {
    Listeners() {
      super(grid());
    }
  }

  @Nested
  final class Structure extends StructureContract {
    Structure() {
      super(grid());
    }
  }

  @Nested
  final class Closing extends ClosingContract {
    Closing() {
      super(grid());
    }
  }

  /** Runs last: what the other tests have left out. */
  @Nested
  @Order(Integer.MAX_VALUE)
  final class Completeness {
    @Test
    void everyMethodWasCalled() {
      assertThat(grid().called().missing()).isEmpty();
    }

    @Test
    void everyCodeWasProvokedOrCannotBe() {
      grid().provokeOwnErrors();
      Set<ErrorCode> rest = EnumSet.allOf(ErrorCode.class);
      rest.removeAll(grid().provoked());
      assertThat(new TreeSet<>(grid().notProvoked().keySet()))
          .as("the codes that no test provokes, each with its reason")
          .isEqualTo(new TreeSet<>(rest));
    }
  }
}
