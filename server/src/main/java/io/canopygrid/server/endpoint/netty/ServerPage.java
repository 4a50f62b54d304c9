package io.canopygrid.server.endpoint.netty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.canopygrid.GridInfo;
import io.canopygrid.btree.serve.GridMember;
import io.canopygrid.btree.serve.ServedNode;
import io.canopygrid.server.release.Release;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page of HTML at {@code /}: what this server is, whether it is ready, and where the other
 * pages are. Its status is that of {@code /health/ready}, since load balancers ask for {@code /}
 * unless they are told otherwise.
 *
 * <p>It goes by what this node knows and asks no other, so that a request costs the grid nothing.
 * Where clients must say who they are it tells what the protocol tells before that, and no more.
 * All names are escaped, and the browser is told to run no script and to load nothing.
 */
final class ServerPage {
  static final String PATH = "/";
  private static final String TYPE = "text/html; charset=utf-8";

  private static final String STYLE =
      """

      :root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --rule: #8a929b;
        --link: #0b57c2; --good: #0b6b2f; --bad: #a3161a; }
      @media (prefers-color-scheme: dark) {
        :root { --ink: #e6e9ed; --paper: #14171a; --rule: #7d868f; --link: #8ab8ff;
          --good: #6fd08c; --bad: #ff9a94; }
      }
      body { margin: 0; background: var(--paper); color: var(--ink);
        font: 1rem/1.5 system-ui, sans-serif; }
      main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
      h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
      h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
      a { color: var(--link); }
      .state { border-left: .4rem solid; padding: .25rem .75rem; margin: 0;
        overflow-wrap: anywhere; }
      .ready { border-color: var(--good); }
      .waits { border-color: var(--bad); }
      .ready strong { color: var(--good); }
      .waits strong { color: var(--bad); }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
      dt { font-weight: 600; }
      dd { margin: 0; overflow-wrap: anywhere; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; }
      caption { text-align: left; padding-bottom: .25rem; }
      th, td { text-align: left; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid var(--rule); }
      .number { text-align: right; }
      """;

  /** The one style is allowed by its hash; everything else is forbidden. */
  private static final String POLICY =
      "default-src 'none'; style-src 'sha256-"
          + sha256(STYLE)
          + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final StringBuilder html = new StringBuilder(4_096);

  private ServerPage() {}

  /**
   * The page of a member.
   *
   * @param obstacle why it is not ready, in words; empty: it is ready
   */
  static FullHttpResponse of(Service service, String obstacle) {
    boolean isGuarded = !service.authentication().mechanisms().isEmpty();
    ServedNode node = service.node();
    ServerPage page = new ServerPage();
    page.begin("Canopy server of cluster " + service.cluster(), obstacle);
    page.facts(service, isGuarded);
    if (!isGuarded) {
      page.members(node);
    }
    page.links(true, service.metricsShown());
    return page.end(obstacle);
  }

  /** The page of a node that waits to be a member. */
  static FullHttpResponse waiting(String why) {
    ServerPage page = new ServerPage();
    page.begin("Canopy server", why);
    page.links(false, false);
    return page.end(why);
  }

  private void begin(String title, String obstacle) {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
        .append(escaped(title))
        .append("</title>\n<style>")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n<main>\n<h1>");
    text(title);
    html.append("</h1>\n");
    if (obstacle.isEmpty()) {
      html.append("<p class=\"state ready\"><strong>Ready</strong>: it serves clients.</p>\n");
    } else {
      html.append("<p class=\"state waits\"><strong>Not ready</strong>: ");
      text(obstacle);
      html.append("</p>\n");
    }
  }

  private void facts(Service service, boolean isGuarded) {
    ServedNode node = service.node();
    GridInfo grid = node.grid();
    html.append("<dl>\n");
    fact("Cluster", service.cluster());
    if (!isGuarded) {
      fact("Node", node.displayName() + " (" + node.name() + ")");
      fact("Version", Release.version());
    } else {
      fact("Node", node.name());
    }
    fact("Grid", grid.id() + ", founded " + grid.founded());
    html.append("</dl>\n");
    if (isGuarded) {
      html.append("<p>Clients of this server must log in. With a user's name and password, ")
          .append("<code>canopy status</code> shows the version and the members.</p>\n");
    }
  }

  private void fact(String name, String value) {
    html.append("<dt>").append(name).append("</dt><dd>");
    text(value);
    html.append("</dd>\n");
  }

  private void members(ServedNode node) {
    html.append("<h2 id=\"members\">Members</h2>\n")
        .append("<div class=\"wide\" role=\"region\" aria-labelledby=\"members\" tabindex=\"0\">\n")
        .append("<table>\n<caption>As this node sees them now, oldest first</caption>\n")
        .append("<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Node</th>")
        .append("<th scope=\"col\">State</th><th scope=\"col\">Nodes’ address</th>")
        .append("<th scope=\"col\" class=\"number\">Primaries</th>")
        .append("<th scope=\"col\" class=\"number\">Copies</th></tr></thead>\n<tbody>\n");
    for (GridMember member : node.members()) {
      html.append("<tr><th scope=\"row\">");
      text(member.name());
      html.append("</th>");
      cell(member.node() + (member.node().equals(node.name()) ? ", this one" : ""));
      cell(member.reachable() ? "reachable" : "unreachable");
      cell(member.address());
      number(member.reachable() ? member.primaryShards() : 0);
      number(member.reachable() ? member.ownedShards() : 0);
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table>\n</div>\n");
  }

  private void cell(String value) {
    html.append("<td>");
    text(value);
    html.append("</td>");
  }

  private void number(int value) {
    html.append("<td class=\"number\">").append(value).append("</td>");
  }

  private void links(boolean hasConsole, boolean hasMetrics) {
    html.append("<h2>Pages of this server</h2>\n<ul>\n");
    if (hasConsole) {
      html.append(
          "<li><a href=\"/console/\">/console/</a>: the cluster, its indexes and data</li>\n");
    }
    html.append("<li><a href=\"/health/live\">/health/live</a>: whether the process answers</li>\n")
        .append("<li><a href=\"/health/ready\">/health/ready</a>: whether it is ready, or why")
        .append(" not</li>\n");
    if (hasMetrics) {
      html.append("<li><a href=\"/metrics\">/metrics</a>: figures for Prometheus</li>\n");
    }
    html.append("</ul>\n");
  }

  private FullHttpResponse end(String obstacle) {
    html.append("</main>\n</body>\n</html>\n");
    HttpResponseStatus status =
        obstacle.isEmpty() ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE;
    FullHttpResponse response = HttpMessages.response(status, TYPE, html.toString());
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
        .set("x-content-type-options", "nosniff")
        .set("referrer-policy", "no-referrer")
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    return response;
  }

  private void text(String value) {
    html.append("<bdi>").append(escaped(value)).append("</bdi>");
  }

  /** The text as HTML has it between tags and in attributes. */
  static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> escaped.append("&amp;");
            case '<' -> escaped.append("&lt;");
            case '>' -> escaped.append("&gt;");
            case '"' -> escaped.append("&quot;");
            case '\'' -> escaped.append("&#39;");
            default -> escaped.appendCodePoint(isShown(c) ? c : '\uFFFD');
          }
        });
    return escaped.toString();
  }

  /** Control characters and halves of pairs have no place in HTML, and turns of the order lie. */
  private static boolean isShown(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> false;
      default -> true;
    };
  }

  private static String sha256(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
