package io.canopygrid.gmu.recovery;

import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.Topology;
import io.canopygrid.gmu.message.Cut;
import io.canopygrid.gmu.recovery.RecoveryDecision.Answer;
import io.canopygrid.gmu.recovery.RecoveryDecision.Founded;
import io.canopygrid.gmu.recovery.RoundMessage.Agrees;
import io.canopygrid.gmu.recovery.RoundMessage.Promises;
import io.canopygrid.gmu.recovery.RoundMessage.Proposal;
import io.canopygrid.gmu.recovery.RoundMessage.Proposes;
import io.canopygrid.gmu.recovery.RoundMessage.Tells;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in the round by which nodes with disks agree how to found their grid
 * (docs/internals/recovery.md, How a grid is founded from its disks). Each node tells the others
 * what its disk has. The one with the lowest id leads: it decides by what all that it sees have
 * told, and proposes a founding with an id above all that were installed or promised. Each node
 * stores its promise and says so. When all have promised, the founding holds, and the leader tells
 * it.
 *
 * <p>An operator may say that disks are lost. A node stores this word, and tells it to the others
 * with what its disk has. A founding is by all words that its members have heard.
 *
 * <p>A promise is kept over the death of its node. So no two foundings have the same id, whoever
 * comes and goes between them. Without I/O; confined to one thread.
 */
public final class RecoveryRound {
  private final NodeId self;
  private final Standing own;
  private final int failuresAtOnce;
  private final long patienceNanos;
  private final Host host;

  private Set<NodeId> others = Set.of();
  private final Map<NodeId, Standing> told = new HashMap<>();

  /** The highest founding that a node with this disk has promised, by its topology's id. */
  private long promised;

  /** The words of operators that this node has heard, and has stored. */
  private Losses losses;

  /** The founding that this node has promised last; null: none since it began. */
  private @Nullable Proposal promise;

  /** The founding that this node asks for as the leader; null: it asks for none. */
  private @Nullable Proposal proposal;

  private final Set<NodeId> promises = new HashSet<>();
  private @Nullable Proposal agreed;

  /** Since when a founding is possible with those who are there; null: it is not. */
  private @Nullable Long possibleSince;

  /** The host of a round. */
  public interface Host {
    /** Sends a message, which may be lost. */
    void send(NodeId to, RoundMessage message);

    /** Stores a promise, and returns when it is forced to the disk. */
    void promise(long topology);

    /** Stores words of operators on lost disks, and returns when they are forced to the disk. */
    void lose(Losses losses);
  }

  /** The answer to an operator's word. */
  public enum Heard {
    /** The word counts from now on. */
    COUNTS,
    /** The word would lose shards, and does not say so. */
    LOSES_SHARDS,
    /** The word names a disk that is there, or for which nobody waits. */
    NOT_MISSING,
    /** Not all that are there have said what they have, or the founding is agreed. */
    NOT_NOW
  }

  /**
   * Begins.
   *
   * @param self the id of this node, which its disk's standing names as its last user
   * @param own the content of this node's disk
   * @param failuresAtOnce as in {@link RecoveryDecision#of}
   * @param patienceNanos how long a leader that can found the grid waits for members that are
   *     missing: they would be joiners, and get their data anew
   */
  public RecoveryRound(
      NodeId self, Standing own, int failuresAtOnce, long patienceNanos, Host host) {
    this.self = self;
    this.own = own;
    this.failuresAtOnce = failuresAtOnce;
    this.patienceNanos = patienceNanos;
    this.host = host;
    this.promised = own.promised();
    this.losses = own.losses();
  }

  /** The founding that all have promised; null: they have not yet. */
  public @Nullable Proposal agreed() {
    return agreed;
  }

  /** Whether all that are there have told, and none has anything on its disk. */
  public boolean isNothingStored() {
    return haveAllTold() && decision() == null;
  }

  /** Whether and how those that are there can found a grid; null: not all of them have told. */
  public @Nullable Answer answer() {
    return haveAllTold() ? decision() : null;
  }

  /** The disks that are missing; null: not all have told, or none knows where the data is. */
  public @Nullable MissingDisks missing() {
    return haveAllTold() ? MissingDisks.of(ofOwnGrid(), losses) : null;
  }

  /** The words of operators that this node has heard. */
  public Losses losses() {
    return losses;
  }

  /**
   * An operator says that the disks of these members are lost. Some of them may have been said to
   * be lost before, or be out of date.
   *
   * @param losesShards whether shards without any copy may begin empty
   */
  public Heard lose(Set<NodeId> members, boolean losesShards) {
    MissingDisks missing = agreed == null ? missing() : null;
    if (missing == null) {
      return Heard.NOT_NOW;
    }
    Set<NodeId> known = new HashSet<>(missing.missing().keySet());
    known.addAll(missing.outOfDate());
    known.addAll(losses.members().keySet());
    if (!known.containsAll(members)) {
      return Heard.NOT_MISSING;
    }
    Losses word = losses.with(members, missing.topology(), Set.of());
    MissingDisks without = MissingDisks.of(ofOwnGrid(), word);
    if (without == null) {
      return Heard.NOT_NOW;
    }
    if (!without.lost().isEmpty() && !losesShards) {
      return Heard.LOSES_SHARDS;
    }
    Losses said = losses.with(members, without.topology(), without.lost());
    if (!losses.saysAll(said)) {
      learn(said);
    }
    return Heard.COUNTS;
  }

  /** The disks that would be missing if those of these members were lost, too; null: not known. */
  public @Nullable MissingDisks without(Set<NodeId> members) {
    return haveAllTold() ? MissingDisks.of(ofOwnGrid(), losses.with(members, 0, Set.of())) : null;
  }

  private List<Standing> ofOwnGrid() {
    UUID grid = own.grid();
    return standings().stream()
        .filter(each -> grid == null || each.grid() == null || grid.equals(each.grid()))
        .toList();
  }

  /**
   * Stores words that are new here. A founding that goes without them is not asked for any more.
   */
  private void learn(Losses words) {
    Losses all = extended(losses.with(words));
    if (!all.equals(losses)) {
      losses = all;
      store(all);
      proposal = null;
      promises.clear();
    }
  }

  /** With all members that the disks have been that count as lost, and are there. */
  private Losses extended(Losses words) {
    Losses all = extended(words, own, self);
    for (Map.Entry<NodeId, Standing> each : told.entrySet()) {
      all = extended(all, each.getValue(), each.getKey());
    }
    return all;
  }

  /** A node that takes part in the round is no member yet. */
  private static Losses extended(Losses words, Standing disk, NodeId user) {
    List<NodeId> was = disk.users().stream().filter(each -> !each.equals(user)).toList();
    return words.extendedBy(was, disk.installed());
  }

  private void store(Losses words) {
    host.lose(words);
  }

  /** This node sees these others from now on, who take part or will. */
  public void present(Set<NodeId> now) {
    if (now.equals(others)) {
      return;
    }
    others = new TreeSet<>(now);
    told.keySet().retainAll(others);
    // A node that came or has gone changes who counts, and a node that has gone has not promised.
    proposal = null;
    promises.clear();
    possibleSince = null;
  }

  /** A message of another node; one that this node does not see is not listened to. */
  public void heard(NodeId source, RoundMessage message) {
    if (!others.contains(source)) {
      return;
    }
    if (message instanceof Tells tells) {
      told.put(source, tells.standing());
      if (agreed != null) {
        host.send(source, new Agrees(agreed));
      } else {
        learn(tells.standing().losses());
      }
    } else if (message instanceof Proposes proposes) {
      onProposal(source, proposes.proposal());
    } else if (message instanceof Promises promise) {
      onPromise(source, promise.topology());
    } else if (message instanceof Agrees agrees) {
      onAgreed(agrees.proposal());
    }
  }

  private void onProposal(NodeId source, Proposal proposed) {
    if (agreed != null || !source.equals(leader())) {
      return;
    }
    if (mayPromise(proposed) && hasHeardAll(proposed)) {
      learn(proposed.losses());
      promise(proposed);
    }
    boolean isPromised = proposed.equals(promise);
    host.send(source, isPromised ? new Promises(proposed.topology()) : new Tells(standing()));
  }

  /** Whether this node has not promised anything that would have the same id, or a higher one. */
  boolean mayPromise(Proposal proposed) {
    return proposed.topology() > promised;
  }

  /** Whether it is by all words of operators that this node has heard. */
  boolean hasHeardAll(Proposal proposed) {
    return proposed.losses().covers(losses);
  }

  private void promise(Proposal proposed) {
    promise = proposed;
    promised = proposed.topology();
    host.promise(promised);
  }

  private void onPromise(NodeId source, long topology) {
    Proposal asked = proposal;
    if (asked != null && asked.topology() == topology && agreed == null) {
      promises.add(source);
      agreeIfPromised(asked);
    }
  }

  private void agreeIfPromised(Proposal asked) {
    if (isPromised(asked)) {
      agreed = asked;
      others.forEach(to -> host.send(to, new Agrees(asked)));
    }
  }

  /** Whether all that are there have promised it: those who have not could promise another one. */
  boolean isPromised(Proposal asked) {
    return promises.containsAll(others);
  }

  private void onAgreed(Proposal founding) {
    if (agreed == null && isNewest(founding) && isThere(founding.members())) {
      agreed = founding;
    }
  }

  /** Whether this node has promised nothing newer: it must not install this one then. */
  boolean isNewest(Proposal founding) {
    return founding.topology() >= promised;
  }

  private boolean isThere(List<NodeId> members) {
    return members.stream().allMatch(member -> member.equals(self) || others.contains(member));
  }

  /** At times: tells the others again, and leads. */
  public void tick(long nowNanos) {
    if (agreed != null) {
      return;
    }
    others.forEach(to -> host.send(to, new Tells(standing())));
    if (!self.equals(leader()) || !haveAllTold()) {
      return;
    }
    if (decision() instanceof Founded founded && isPatientEnough(founded, nowNanos)) {
      propose(founded);
    }
  }

  private boolean isPatientEnough(Founded founded, long nowNanos) {
    Long since = possibleSince;
    if (since == null) {
      since = nowNanos;
      possibleSince = since;
    }
    boolean isWhole = founded.members().size() == founded.newest().members().size();
    return isWhole || nowNanos - since >= patienceNanos;
  }

  private void propose(Founded founded) {
    Proposal asked = proposal;
    if (asked == null || asked.topology() <= highestPromised()) {
      long known = Math.max(highestInstalled(), Math.max(promised, highestPromised()));
      long topology = Math.max(known + 1, losses.foundingMin());
      asked = proposal(founded, topology);
      proposal = asked;
      promises.clear();
      promise(asked);
    }
    for (NodeId to : others) {
      if (!promises.contains(to)) {
        host.send(to, new Proposes(asked));
      }
    }
    agreeIfPromised(asked);
  }

  private long highestInstalled() {
    return Stream.concat(Stream.of(own), told.values().stream())
        .map(Standing::installed)
        .filter(Objects::nonNull)
        .mapToLong(Topology::id)
        .max()
        .orElse(0);
  }

  /** The highest founding that others have promised, but for the one that this node asks for. */
  private long highestPromised() {
    long highest = 0;
    for (Map.Entry<NodeId, Standing> each : told.entrySet()) {
      if (!promises.contains(each.getKey())) {
        highest = Math.max(highest, each.getValue().promised());
      }
    }
    return highest;
  }

  private Proposal proposal(Founded founded, long topology) {
    Map<DiskId, NodeId> now = new HashMap<>();
    told.forEach((node, standing) -> now.put(standing.disk(), node));
    now.put(own.disk(), self);
    return new Proposal(
        topology,
        grid(founded, topology),
        founded.members().stream().map(now::get).toList(),
        founded.owners().stream().map(of -> of.stream().map(now::get).toList()).toList(),
        founded.over(),
        founded.seen(),
        losses,
        founded.cut() == null ? null : new Cut(topology, founded.cut()));
  }

  /** The grid that the disks are of; a new name where all nodes died before they knew one. */
  private UUID grid(Founded founded, long topology) {
    return Stream.concat(Stream.of(own), told.values().stream())
        .filter(standing -> founded.members().contains(standing.disk()))
        .map(Standing::grid)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> new UUID(own.disk().value(), topology));
  }

  private boolean haveAllTold() {
    return told.keySet().containsAll(others);
  }

  private @Nullable Answer decision() {
    return RecoveryDecision.of(standings(), failuresAtOnce);
  }

  private Collection<Standing> standings() {
    Map<DiskId, Standing> standings = new TreeMap<>();
    told.values().forEach(standing -> standings.put(standing.disk(), standing));
    standings.put(own.disk(), standing());
    return standings.values();
  }

  private Standing standing() {
    return own.with(promised, losses);
  }

  private NodeId leader() {
    TreeSet<NodeId> all = new TreeSet<>(others);
    all.add(self);
    return all.first();
  }
}
