package io.canopygrid.jta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.arjuna.recovery.RecoveryModule;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.canopygrid.BranchId;
import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.CanopyXaResource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.junit.CanopyGrid;
import io.canopygrid.junit.CanopyTest;
import jakarta.transaction.RollbackException;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Vector;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.transaction.TransactionMode;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Canopy and a transactional cache of Infinispan in the transactions of Narayana. */
@NullUnmarked // bodies return null
@CanopyTest(nodes = 3)
@Timeout(180)
final class NarayanaTest {
  private static final String NODE = "1";

  @TempDir static Path directory;

  @BeforeAll
  static void configure() throws CoreEnvironmentBeanException {
    arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier(NODE);
    for (String store : new String[] {null, "communicationStore", "stateStore"}) {
      BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
          .setObjectStoreDir(directory.toString());
    }
    recoveryPropertyManager
        .getRecoveryEnvironmentBean()
        .setRecoveryModuleClassNames(
            List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
    recoveryPropertyManager.getRecoveryEnvironmentBean().setRecoveryBackoffPeriod(1);
    recoveryPropertyManager.getRecoveryEnvironmentBean().setRecoveryListener(false);
    jtaPropertyManager.getJTAEnvironmentBean().setXaRecoveryNodes(List.of(NODE));
    jtaPropertyManager.getJTAEnvironmentBean().setOrphanSafetyInterval(0);
    jtaPropertyManager
        .getJTAEnvironmentBean()
        .setXaResourceOrphanFilterClassNames(
            List.of(
                JTATransactionLogXAResourceOrphanFilter.class.getName(),
                JTANodeNameXAResourceOrphanFilter.class.getName()));
  }

  private final TransactionManager manager =
      com.arjuna.ats.jta.TransactionManager.transactionManager();

  private static Index<Long, String> names(Canopy db) {
    return db.index("names", Codec.int64(), Codec.string());
  }

  private static @Nullable String get(Canopy db, long key) {
    Index<Long, String> names = names(db);
    return db.<String, RuntimeException>read(tx -> tx.on(names).get(key));
  }

  private DefaultCacheManager caches() {
    DefaultCacheManager caches =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    caches.defineConfiguration(
        "names",
        new ConfigurationBuilder()
            .transaction()
            .transactionMode(TransactionMode.TRANSACTIONAL)
            .transactionManagerLookup(() -> manager)
            .useSynchronization(false)
            .build());
    return caches;
  }

  @Test
  void bothChangeOrNone(CanopyGrid grid) throws Exception {
    Canopy db = grid.node(0);
    Index<Long, String> names = names(db);
    JtaCanopy jta = JtaCanopy.of(db, manager);
    try (DefaultCacheManager caches = caches()) {
      Cache<Long, String> cache = caches.getCache("names");
      manager.begin();
      Transaction tx = jta.transaction();
      tx.on(names).put(1L, "Ada");
      assertThat(jta.transaction()).isSameAs(tx);
      assertThat(jta.transaction().on(names).get(1L)).isEqualTo("Ada");
      cache.put(1L, "Ada");
      manager.commit();
      assertThat(get(grid.node(1), 1)).isEqualTo("Ada");
      assertThat(cache.get(1L)).isEqualTo("Ada");

      manager.begin();
      jta.transaction().on(names).put(1L, "Grace");
      cache.put(1L, "Grace");
      manager.rollback();
      assertThat(get(grid.node(1), 1)).isEqualTo("Ada");
      assertThat(cache.get(1L)).isEqualTo("Ada");

      manager.begin();
      jta.transaction().on(names).compute(1L, (key, name) -> name + " Lovelace");
      cache.put(1L, "Ada Lovelace");
      Canopy other = grid.node(2);
      Index<Long, String> there = names(other);
      // Another thread's own transaction comes first.
      Thread first = new Thread(() -> other.run(own -> own.on(there).put(1L, "Barbara")));
      first.start();
      first.join();
      assertThatThrownBy(manager::commit).isInstanceOf(RollbackException.class);
      assertThat(get(db, 1)).isEqualTo("Barbara");
      assertThat(cache.get(1L)).isEqualTo("Ada");
      assertThat(db.xa().prepared()).isEmpty();
    }
  }

  @Test
  void alone(CanopyGrid grid) throws Exception {
    Canopy db = grid.node(0);
    Index<Long, String> names = names(db);
    JtaCanopy jta = JtaCanopy.of(db, manager, TransactionOptions.DEFAULTS.withLabel("alone"));
    assertThatThrownBy(jta::transaction)
        .isInstanceOfSatisfying(
            CanopyException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TRANSACTION_CLOSED));
    manager.begin();
    jta.transaction().on(names).put(5L, "Ada");
    manager.commit();
    assertThat(get(db, 5)).isEqualTo("Ada");
    manager.begin();
    assertThat(jta.transaction().on(names).get(5L)).isEqualTo("Ada");
    manager.commit();
  }

  @Test
  void theRecoveryEndsWhatIsInDoubt(CanopyGrid grid) throws Exception {
    Canopy db = grid.node(0);
    Index<Long, String> names = names(db);
    try (DefaultCacheManager caches = caches()) {
      Cache<Long, String> cache = caches.getCache("names");
      CanopyXaResource resource = db.xa().resource();
      manager.begin();
      manager.getTransaction().enlistResource(new Unreachable(resource));
      resource.transaction().on(names).put(7L, "Ada");
      cache.put(7L, "Ada");
      manager.commit();
      assertThat(cache.get(7L)).isEqualTo("Ada");
      assertThat(get(db, 7)).isNull();
      assertThat(db.xa().prepared()).hasSize(1);

      // Nobody has decided this one: its transaction manager died before.
      BranchId id = BranchId.of(Objects.requireNonNull(db.xa().prepared().get(0).id()));
      CanopyXaResource orphan = grid.node(1).xa().resource();
      BranchId lost =
          BranchId.of(
              id.getFormatId(), changed(id.getGlobalTransactionId()), id.getBranchQualifier());
      orphan.start(lost, XAResource.TMNOFLAGS);
      Index<Long, String> there = names(grid.node(1));
      orphan.transaction().on(there).put(8L, "nobody");
      orphan.end(lost, XAResource.TMSUCCESS);
      assertThat(orphan.prepare(lost)).isEqualTo(XAResource.XA_OK);

      grid.kill(0);
      grid.awaitCopies();
      RecoveryManager recovery = RecoveryManager.manager(RecoveryManager.DIRECT_MANAGEMENT);
      recovery.initialize();
      Vector<RecoveryModule> modules = recovery.getModules();
      for (RecoveryModule module : modules) {
        if (module instanceof XARecoveryModule xa) {
          xa.addXAResourceRecoveryHelper(new Helper(grid.node(2)));
        }
      }
      for (int scans = 0; scans < 5 && !grid.node(2).xa().prepared().isEmpty(); scans++) {
        recovery.scan();
      }
      assertThat(grid.node(2).xa().prepared()).isEmpty();
      assertThat(get(grid.node(1), 7)).isEqualTo("Ada");
      assertThat(get(grid.node(1), 8)).isNull();
      recovery.terminate();
    }
  }

  /** The id of another global transaction of the same transaction manager. */
  private static byte[] changed(byte[] global) {
    byte[] other = global.clone();
    other[12]++;
    return other;
  }

  /** A resource that cannot be reached any more when the decision is told. */
  private record Unreachable(XAResource real) implements XAResource {
    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
      throw new XAException(XAException.XAER_RMFAIL);
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
      real.end(xid, flags);
    }

    @Override
    public void forget(Xid xid) throws XAException {
      real.forget(xid);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
      return real.getTransactionTimeout();
    }

    @Override
    public boolean isSameRM(XAResource other) {
      return false;
    }

    @Override
    public int prepare(Xid xid) throws XAException {
      return real.prepare(xid);
    }

    @Override
    public Xid[] recover(int flag) throws XAException {
      return real.recover(flag);
    }

    @Override
    public void rollback(Xid xid) throws XAException {
      real.rollback(xid);
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
      return real.setTransactionTimeout(seconds);
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
      real.start(xid, flags);
    }
  }

  /** Gives the recovery a resource of a node that is there. */
  private record Helper(Canopy db) implements XAResourceRecoveryHelper {
    @Override
    public boolean initialise(String parameters) {
      return true;
    }

    @Override
    public XAResource[] getXAResources() {
      return new XAResource[] {db.xa().resource()};
    }
  }
}
