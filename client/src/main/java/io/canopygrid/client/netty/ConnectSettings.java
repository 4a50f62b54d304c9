package io.canopygrid.client.netty;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which connections are opened.
 *
 * @param user null: nobody
 * @param password of the user
 * @param tls whether connections are encrypted and the server's certificate is checked
 * @param trust a PEM file of the certificates that are trusted, null for those of the JDK
 * @param connectMillis how long opening one may take, login included
 * @param pingMillis after how long without a word a server is asked whether it is there
 */
public record ConnectSettings(
    @Nullable String user,
    char @Nullable [] password,
    boolean tls,
    @Nullable Path trust,
    int connectMillis,
    long pingMillis) {}
