package io.canopygrid.wire.client;

import java.util.UUID;

/**
 * Names one commit among all of all clients, made by the client right before it is sent.
 *
 * @param client the one of {@link Request.Hello}
 * @param millis when it was made, since 1970, by the servers' clock ({@link
 *     Reply.Welcome#serverMillis}). A name that is older than {@link
 *     WireLimits#COMMIT_AGE_MILLIS_MAX} is refused, and can be looked up only as committed or
 *     unknown
 * @param number tells it from the client's others
 * @param shard where what became of it is kept, from 0 to {@link Reply.Welcome#shards} exclusive.
 *     Any will do; that of a key that the transaction writes ({@link Reply.Route#shard}) saves
 *     requests between the servers
 */
public record CommitId(UUID client, long millis, long number, int shard) {}
