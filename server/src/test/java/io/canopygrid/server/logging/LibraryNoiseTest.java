package io.canopygrid.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.infinispan.commons.IllegalLifecycleStateException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which lines of libraries are left out, and which never are. */
final class LibraryNoiseTest {
  private static final String FORK = "org.jgroups.protocols.FORK";
  private static final String TCP = "org.jgroups.protocols.TCP";
  private static final String TOPOLOGY = "org.infinispan.topology.LocalTopologyManagerImpl";
  private static final String UPDATE = "ISPN000452: Failed to update topology for cache shop";

  private static boolean isShown(String logger, String text, @Nullable Throwable why) {
    LoggingEvent event =
        new LoggingEvent(
            "", new LoggerContext().getLogger(logger), Level.ERROR, text, why, new Object[0]);
    return new LibraryNoise().decide(event) == FilterReply.NEUTRAL;
  }

  @Test
  void whatComesOfAJoinAStopOrAKillIsLeftOut() {
    assertThat(isShown(FORK, "a: fork-stack for id=canopy not found; discarding message", null))
        .isFalse();
    assertThat(isShown(FORK, "a: fork-channel for id=shop not found; discarding message", null))
        .isFalse();
    assertThat(
            isShown(
                TOPOLOGY,
                "ISPN000689: Recovering cache 'canopy.shop' but there are missing members, known"
                    + " members [a] of a total of 3",
                null))
        .isFalse();
    assertThat(isShown(TOPOLOGY, "ISPN000314: Lost at least half of the stable members", null))
        .isFalse();
    assertThat(
            isShown(
                TOPOLOGY,
                "ISPN000317: Lost data because of abrupt leavers [b], assuming a network split and"
                    + " entering degraded mode",
                null))
        .isFalse();
    assertThat(isShown(TCP, "a: failed sending graceful close to b: Broken pipe", null)).isFalse();
    assertThat(
            isShown(
                TCP,
                "JGRP000006: a: failed accepting connection from peer Socket[addr=/b,port=1,localport=2]:"
                    + " java.io.EOFException",
                null))
        .isFalse();
    assertThat(isShown(TCP, "a: failed handling message", new IOException("Stream closed")))
        .isFalse();
    assertThat(
            isShown(
                TOPOLOGY, UPDATE, new CompletionException(new IllegalLifecycleStateException())))
        .isFalse();
  }

  @Test
  void theSameTextsForAnotherReasonAreShown() {
    assertThat(isShown(TCP, "a: failed handling message", new IOException("No space"))).isTrue();
    assertThat(isShown(TCP, "a: failed handling message", null)).isTrue();
    assertThat(isShown(TOPOLOGY, UPDATE, new CompletionException(new IllegalStateException("x"))))
        .isTrue();
    assertThat(isShown(TOPOLOGY, UPDATE, null)).isTrue();
    assertThat(isShown("io.canopygrid.Thing", "failed sending graceful close", null)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JGRP000012: discarded message from different cluster x (our cluster is y)",
        "JGRP000006: a: failed accepting connection from peer b: unsafe",
        "JGRP000032: a: no physical address for b, dropping message",
        "JGRP000034: a: failure sending message to b: refused"
      })
  void messagesThatDoNotArriveAreShown(String text) {
    assertThat(isShown(TCP, text, null)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ISPN000071: Caught exception when handling command x",
        "ISPN000136: Error executing command x on y, writing keys z",
        "ISPN000196: Failed to recover cluster state, will retry",
        "ISPN000208: No live owners found for segments 1 of cache x",
        "ISPN000312: Lost data because of graceful leaver x",
        "ISPN000313: Lost data because of abrupt leavers x",
        "ISPN000319: cache still has not recovered all its data",
        "ISPN000474: Error processing request 1@x"
      })
  void lostDataAndFailuresAreShown(String text) {
    assertThat(isShown("org.infinispan.CLUSTER", text, new IllegalStateException("x"))).isTrue();
  }
}
