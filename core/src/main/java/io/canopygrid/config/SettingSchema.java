package io.canopygrid.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A list of settings, in the order in which they are documented. Immutable.
 *
 * @param sections the sections of a file, in order, and what each is about
 * @param settings all settings, those of a section together
 */
public record SettingSchema(Map<String, String> sections, List<Setting<?>> settings) {
  public SettingSchema {
    sections = new LinkedHashMap<>(sections);
    settings = List.copyOf(settings);
  }

  /** This schema with the sections and settings of another one after its own. */
  public SettingSchema and(SettingSchema more) {
    Map<String, String> allSections = new LinkedHashMap<>(sections);
    allSections.putAll(more.sections);
    List<Setting<?>> all = new ArrayList<>(settings);
    all.addAll(more.settings);
    return new SettingSchema(allSections, all);
  }

  /** The settings of a section. */
  public List<Setting<?>> inSection(String section) {
    return settings.stream().filter(setting -> setting.section().equals(section)).toList();
  }

  /** The environment variables. */
  public Set<String> variables() {
    Set<String> variables = new LinkedHashSet<>();
    settings.forEach(setting -> variables.add(setting.variable()));
    return variables;
  }
}
