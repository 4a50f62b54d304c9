package io.canopygrid.spring.boot;

import io.canopygrid.Canopy;
import io.canopygrid.client.ClientOptions;
import io.canopygrid.client.RemoteCanopy;

/** A client of servers. */
final class RemoteHandle {
  private RemoteHandle() {}

  static Canopy open(CanopyProperties properties) {
    if (properties.servers().isEmpty()) {
      throw new WrongSettingException(
          "canopy.servers",
          "there is no server to connect to: give host:port of one at least, or say"
              + " canopy.mode=embedded or standalone for a node in this application");
    }
    return RemoteCanopy.connect(uri(properties), options(properties));
  }

  /** A URI stays one, though it has been taken apart at its commas. */
  private static String uri(CanopyProperties properties) {
    String servers = String.join(",", properties.servers());
    return servers.contains("://") ? servers : "canopy://" + servers;
  }

  private static ClientOptions options(CanopyProperties properties) {
    ClientOptions options =
        new Settings<>("canopy.", ClientOptions.DEFAULTS)
            .with("connect-timeout", properties.connectTimeout(), ClientOptions::withConnectTimeout)
            .with("ping", properties.ping(), ClientOptions::withPing)
            .with(
                "outcome-patience",
                properties.outcomePatience(),
                ClientOptions::withOutcomePatience)
            .made();
    if (properties.user() != null) {
      String password = properties.password();
      options = options.as(properties.user(), password == null ? "" : password);
    }
    return properties.tls() || properties.trust() != null
        ? options.withTls(properties.trust())
        : options;
  }
}
