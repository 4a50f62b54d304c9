package io.canopygrid.wire;

import java.util.UUID;

/**
 * Names one commit among all commits of all clients. The client makes the name right before it
 * sends the commit.
 *
 * @param client the client's identity, made at random when its handle was made
 * @param millis when the name was made, by the time of the grid. A name that is older than {@link
 *     #AGE_MILLIS_MAX} is refused, and can be looked up only as committed or unknown
 * @param number tells the commit from the client's other commits
 * @param shard where the outcome of the commit is kept, from 0 to the number of shards exclusive.
 *     Any shard will do; that of a key that the transaction writes saves requests between the
 *     servers
 */
public record CommitId(UUID client, long millis, long number, int shard) {
  /** The greatest age of a commit that is accepted, and looked up. */
  public static final long AGE_MILLIS_MAX = 600_000;
}
