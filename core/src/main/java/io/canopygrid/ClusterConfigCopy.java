package io.canopygrid;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The components of a {@link ClusterConfig} while one of them is replaced. */
final class ClusterConfigCopy {
  String name;
  String bindAddress;
  int port;
  int watchPort;
  int exchangePort;
  List<InetSocketAddress> members;
  int owners;
  int shards;
  Duration joinTimeout;
  Duration failureTimeout;
  Duration lockTimeout;
  Duration leaveTimeout;
  Duration snapshotAgeMax;
  int stateBytesPerSecond;
  Optional<Path> stack;
  Balancing balancing;
  FoundingPolicy found;
  Optional<String> nodeName;
  Optional<Path> dataDirectory;
  Optional<Durability> durability;
  Optional<Long> dataReserve;
  Optional<Long> memoryMax;
  Duration diskTimeout;
  Duration rejoinGrace;
  Optional<Path> identity;
  Optional<Path> trust;
  boolean trustNetwork;

  ClusterConfigCopy(ClusterConfig of) {
    name = of.name();
    bindAddress = of.bindAddress();
    port = of.port();
    watchPort = of.watchPort();
    exchangePort = of.exchangePort();
    members = of.members();
    owners = of.owners();
    shards = of.shards();
    joinTimeout = of.joinTimeout();
    failureTimeout = of.failureTimeout();
    lockTimeout = of.lockTimeout();
    leaveTimeout = of.leaveTimeout();
    snapshotAgeMax = of.snapshotAgeMax();
    stateBytesPerSecond = of.stateBytesPerSecond();
    stack = of.stack();
    balancing = of.balancing();
    found = of.found();
    nodeName = of.nodeName();
    dataDirectory = of.dataDirectory();
    durability = of.durability();
    dataReserve = of.dataReserve();
    memoryMax = of.memoryMax();
    diskTimeout = of.diskTimeout();
    rejoinGrace = of.rejoinGrace();
    identity = of.identity();
    trust = of.trust();
    trustNetwork = of.trustNetwork();
  }

  ClusterConfig checked() {
    return new ClusterConfig(
        name,
        bindAddress,
        port,
        watchPort,
        exchangePort,
        members,
        owners,
        shards,
        joinTimeout,
        failureTimeout,
        lockTimeout,
        leaveTimeout,
        snapshotAgeMax,
        stateBytesPerSecond,
        stack,
        balancing,
        found,
        nodeName,
        dataDirectory,
        durability,
        dataReserve,
        memoryMax,
        diskTimeout,
        rejoinGrace,
        identity,
        trust,
        trustNetwork);
  }
}
