package io.canopygrid.server.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;

/**
 * Keeps out of the log what Infinispan and JGroups warn of on ordinary days, when members come, go
 * or die: Canopy says the same in a line of its own, and what is to be done. A level that is set
 * for these libraries' loggers lets it in again.
 */
final class LibraryNoise extends Filter<ILoggingEvent> {
  static final List<String> LIBRARIES = List.of("org.infinispan", "org.jgroups");

  private static final List<String> TEXTS =
      List.of(
          // A member speaks before this node's part for it has begun; it repeats itself.
          "fork-stack for id=canopy not found",
          "fork-channel for id=",
          // The other end of a connection has gone before this one.
          "failed sending graceful close",
          "JGRP000032", // no physical address of a node that has gone
          "JGRP000034", // nothing is sent to a node that has gone
          "JGRP000012", // a message of a node that has gone, of an earlier view
          "JGRP000006", // a connection that did not come about
          // A node that leaves cannot reach one that has left.
          "ISPN000071",
          "ISPN000136",
          "ISPN000196",
          "ISPN000197",
          "ISPN000208",
          "ISPN000209",
          "ISPN000210",
          "ISPN000314",
          "ISPN000316",
          "ISPN000319",
          "ISPN000452",
          "ISPN000455",
          "ISPN000474",
          "ISPN000517",
          "ISPN000518",
          "ISPN100007",
          "ISPN100008",
          "ISPN100011");

  @Override
  public FilterReply decide(ILoggingEvent event) {
    String logger = event.getLoggerName();
    if (LIBRARIES.stream().noneMatch(logger::startsWith)) {
      return FilterReply.NEUTRAL;
    }
    String message = event.getFormattedMessage();
    return message != null && TEXTS.stream().anyMatch(message::contains)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
