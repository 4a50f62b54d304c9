package io.canopygrid.it.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nothing depends on the locale and the charset of the machine: a call for which the JDK would take
 * the default one names its own.
 */
@AnalyzeClasses(packages = "io.canopygrid", importOptions = DoNotIncludeTests.class)
final class LocaleTest {
  /** Methods and constructors without a Locale or Charset, with the names of their parameters. */
  private static final Set<String> BY_DEFAULTS =
      Set.of(
          "String.format(String,Object[])",
          "String.formatted(Object[])",
          "String.toLowerCase()",
          "String.toUpperCase()",
          "String.getBytes()",
          "String.<init>(byte[])",
          "String.<init>(byte[],int,int)",
          "PrintStream.format(String,Object[])",
          "PrintStream.printf(String,Object[])",
          "PrintWriter.format(String,Object[])",
          "PrintWriter.printf(String,Object[])",
          "PrintStream.<init>(OutputStream)",
          "PrintStream.<init>(OutputStream,boolean)",
          "PrintWriter.<init>(OutputStream)",
          "PrintWriter.<init>(OutputStream,boolean)",
          "InputStreamReader.<init>(InputStream)",
          "OutputStreamWriter.<init>(OutputStream)",
          "FileReader.<init>(File)",
          "FileReader.<init>(String)",
          "FileWriter.<init>(File)",
          "FileWriter.<init>(String)",
          "Scanner.<init>(InputStream)",
          "ByteArrayOutputStream.toString()",
          "Process.inputReader()",
          "Process.errorReader()",
          "Process.outputWriter()",
          "Formatter.<init>()",
          "DecimalFormat.<init>(String)",
          "NumberFormat.getInstance()",
          "SimpleDateFormat.<init>(String)",
          "DateTimeFormatter.ofPattern(String)");

  @ArchTest
  static final ArchRule DEFAULTS =
      noClasses()
          .should()
          .callCodeUnitWhere(
              new DescribedPredicate<JavaCall<?>>("the JDK takes its default locale or charset") {
                @Override
                public boolean test(JavaCall<?> call) {
                  return BY_DEFAULTS.contains(signature(call.getTarget()));
                }
              });

  private static String signature(CodeUnitCallTarget target) {
    List<JavaClass> parameters = target.getRawParameterTypes();
    return parameters.stream()
        .map(JavaClass::getSimpleName)
        .collect(
            Collectors.joining(
                ",", target.getOwner().getSimpleName() + "." + target.getName() + "(", ")"));
  }
}
