package io.canopygrid.it.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The signatures of the {@linkplain PublicApi public API} name the public API and the JDK, so a
 * user meets no internal type.
 */
final class PublicApiTest {
  /** Why a signature may name a type that is not of the API. */
  private enum Reason {
    /** Each codec is one; it is not visible itself, so nobody can name it. */
    SUPERTYPE_OF_CODECS,
    /** The class is the handle that embedded and remote use share. */
    SHARED_HANDLE,
    /** Values that the engines of this API read, which users pass on unopened. */
    FOR_ENGINES,
    /** For the server and the command line, which users do not program. */
    FOR_COMMANDS,
    /** The cache manager that the user has already. */
    HOST,
    /** JUnit makes it, and users do not name it. */
    FOR_JUNIT
  }

  /** The types that are not of the API, by the class whose signatures name them. */
  private static final Map<String, Map<String, Reason>> EXCEPTIONS =
      Map.of(
          "Codec",
          Map.of("Encoding", Reason.SUPERTYPE_OF_CODECS),
          "CausalToken",
          Map.of("clock.VectorClock", Reason.FOR_ENGINES),
          "Range",
          Map.of("codec.KeyRange", Reason.FOR_ENGINES),
          "ResumeToken",
          Map.of("codec.KeyRange", Reason.FOR_ENGINES),
          "btree.embedded.EmbeddedCanopy",
          Map.of(
              "runtime.EngineCanopy", Reason.SHARED_HANDLE,
              "btree.check.IndexCheck$Report", Reason.FOR_COMMANDS,
              "btree.serve.ServedNode", Reason.FOR_COMMANDS,
              "org.infinispan.manager.EmbeddedCacheManager", Reason.HOST),
          "junit.CanopyTest",
          Map.of("junit.GridExtension", Reason.FOR_JUNIT),
          "client.RemoteCanopy",
          Map.ofEntries(
              Map.entry("runtime.EngineCanopy", Reason.SHARED_HANDLE),
              Map.entry("wire.client.Reply$Cluster", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Disks", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$HotEntries", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$IndexOpened", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Routes", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Stats", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Status", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Indexes", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Users", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Work", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Reply$Zones", Reason.FOR_COMMANDS),
              Map.entry("wire.client.Request$PutUser", Reason.FOR_COMMANDS)));

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(new DoNotIncludeTests())
          .importPackages("io.canopygrid");

  @Test
  void signaturesNameTheApiAndTheJdkOnly() {
    Map<String, Set<String>> named = new TreeMap<>();
    for (JavaClass one : PRODUCT) {
      if (PublicApi.contains(one) && isVisible(one)) {
        namedBy(one)
            .map(JavaClass::getBaseComponentType)
            .filter(type -> !isAllowed(type))
            .forEach(type ->
                named
                    .computeIfAbsent(shortName(PublicApi.topLevel(one)), name -> new TreeSet<>())
                    .add(shortName(type.getName())));
      }
    }
    Map<String, Set<String>> excepted = new TreeMap<>();
    EXCEPTIONS.forEach((name, types) -> excepted.put(name, new TreeSet<>(types.keySet())));
    assertThat(named).as("a line that is not needed goes").isEqualTo(excepted);
  }

  private static String shortName(String name) {
    String root = "io.canopygrid.";
    return name.startsWith(root) ? name.substring(root.length()) : name;
  }

  private static boolean isAllowed(JavaClass type) {
    return type.isPrimitive()
        || type.getPackageName().startsWith("java.")
        || type.getPackageName().startsWith("javax.cache") // which the user programs to
        || type.getPackageName().startsWith("javax.transaction.xa") // of the JDK
        || type.getPackageName().startsWith("jakarta.transaction") // which the user programs to
        || type.getPackageName().startsWith("io.micrometer.core") // the same
        || type.getPackageName().startsWith("io.opentelemetry.api") // the same
        || (PublicApi.contains(type) && isVisible(type));
  }

  /** Public or protected, as are the classes around it. */
  private static boolean isVisible(JavaClass one) {
    Set<JavaModifier> modifiers = one.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && one.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
  }

  /** All that the class says of its type and in its public and protected members. */
  private static Stream<JavaClass> namedBy(JavaClass one) {
    Stream<JavaType> above =
        Stream.concat(one.getSuperclass().stream(), one.getInterfaces().stream());
    Stream<JavaType> bounds =
        one.getTypeParameters().stream().flatMap(parameter -> parameter.getUpperBounds().stream());
    Stream<JavaType> types = Stream.concat(above, bounds);
    Stream<JavaClass> members =
        one.getMembers().stream().filter(PublicApiTest::isPromised).flatMap(PublicApiTest::namedBy);
    return Stream.concat(types.flatMap(type -> type.getAllInvolvedRawTypes().stream()), members);
  }

  private static boolean isPromised(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static Stream<JavaClass> namedBy(JavaMember member) {
    Stream<JavaClass> types = member.getAllInvolvedRawTypes().stream();
    return member instanceof JavaCodeUnit code
        ? Stream.concat(types, code.getExceptionTypes().stream())
        : types;
  }
}
