#include "analyze/groups.h"

#include <gtest/gtest.h>

#include "analyze/module_name.h"
#include "analyze/origin.h"
#include "profile/builder.h"

namespace pyrometer {
namespace {

struct Example {
  ProfileBuilder builder;
  ProcessId process = builder.add_process({});
  ThreadId thread = builder.add_thread({.process = process});
  MetricId wall = builder.metric({"wall", Unit::kNanoseconds});

  FunctionId python(std::string_view name, std::string_view file, std::string_view short_file) {
    return builder.function({.kind = FunctionKind::kPython,
                             .name = name,
                             .qualified_name = name,
                             .file = file,
                             .short_file = short_file,
                             .first_line = 1});
  }
  FunctionId other(FunctionKind kind, std::string_view name, std::string_view file = "") {
    return builder.function({.kind = kind, .name = name, .qualified_name = name, .file = file});
  }
  NodeId node(NodeId parent, FunctionId function, std::int64_t value) {
    const NodeId id = builder.node(parent, function, 1);
    builder.values(thread).row(id)[wall] += value;
    return id;
  }
};

std::string table_of(const Profile& profile, GroupBy by, const Selection& selection = {}) {
  const PositionGroups groups = group_functions(profile, by, selection);
  std::string text;
  for (const GroupCost& cost : make_group_table(profile, MetricId(0), groups, selection)) {
    text += fmt::format("{} {}/{}; ", groups.groups[cost.group].name, cost.self, cost.total);
  }
  return text;
}

Profile example() {
  Example x;
  const NodeId main = x.node(NodeId::none(), x.python("main", "/w/wave.py", "wave.py"), 10);
  const FunctionId norm = x.python(
      "norm", "/e/lib/python3.11/site-packages/numpy/linalg/_linalg.py", "numpy/linalg/_linalg.py");
  const NodeId first = x.node(main, norm, 20);
  const FunctionId array =
      x.python("asarray", "/e/lib/python3.11/site-packages/numpy/__init__.py", "numpy/__init__.py");
  x.node(x.node(first, array, 3), norm, 4);  // the package calls itself
  x.node(first,
         x.other(FunctionKind::kNative, "libopenblas.so",
                 "/e/lib/python3.11/site-packages/numpy.libs/libopenblas.so"),
         40);
  x.node(main, x.python("dumps", "/usr/lib/python3.11/json/__init__.py", "json/__init__.py"), 5);
  x.node(main, x.other(FunctionKind::kBuiltin, "<built-in method numpy.array>"), 6);
  x.node(main, x.other(FunctionKind::kBuiltin, "<method 'append' of 'list' objects>"), 1);
  x.node(main, x.other(FunctionKind::kLabel, "(clock_nanosleep)"), 11);
  return x.builder.finish();
}

TEST(Groups, EveryGroupingAddsUpToTheWhole) {
  const Profile profile = example();
  EXPECT_EQ(table_of(profile, GroupBy::kModule),
            "libopenblas.so 40/40; numpy.linalg._linalg 24/67; (clock_nanosleep) 11/11; "
            "wave 10/100; numpy 9/13; json 5/5; builtins 1/1; ");
  EXPECT_EQ(table_of(profile, GroupBy::kPackage),
            "numpy 73/73; (clock_nanosleep) 11/11; wave 10/100; json 5/5; builtins 1/1; ");
  EXPECT_EQ(table_of(profile, GroupBy::kLibrary),
            "numpy 67/67; waiting and other 11/11; own code 10/100; built-in functions 7/7; "
            "standard library 5/5; ");
  EXPECT_EQ(table_of(profile, GroupBy::kKind),
            "native code 40/40; packages 27/67; waiting and other 11/11; own code 10/100; "
            "built-in functions 7/7; standard library 5/5; ");
  EXPECT_EQ(table_of(profile, GroupBy::kFile, {.sort = {SortKey::kName}}),
            "built-in functions 7/7; json/__init__.py 5/5; native code 40/40; "
            "numpy/__init__.py 3/7; numpy/linalg/_linalg.py 24/67; waiting and other 11/11; "
            "wave.py 10/100; ");
}

TEST(Groups, SelectionAndOrder) {
  const Profile profile = example();
  const Selection numpy{.sort = {SortKey::kTotal},
                        .reverse = true,
                        .keep_parts = {{PartPattern::Part::kModule, *Pattern::parse("^numpy")}}};
  EXPECT_EQ(table_of(profile, GroupBy::kModule, numpy), "numpy 9/13; numpy.linalg._linalg 24/67; ");
  EXPECT_EQ(name_of(*parse_group_by("package")), "package");
  const auto unknown = parse_group_by("colour");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("module, package, library, file, kind"),
            std::string::npos);
}

TEST(Selection, PartsOfNames) {
  const Profile profile = example();
  const auto count = [&](const Selection& selection) {
    int selected = 0;
    for (std::size_t i = 0; i < profile.functions.size(); ++i) {
      selected += is_selected(selection, profile, FunctionId::from_index(i)) ? 1 : 0;
    }
    return selected;
  };
  const auto part = [](PartPattern::Part which, const char* text) {
    return std::vector<PartPattern>{{which, *Pattern::parse(text)}};
  };
  EXPECT_EQ(count({.keep_parts = part(PartPattern::Part::kFunction, "^norm$")}), 1);
  EXPECT_EQ(count({.keep_parts = part(PartPattern::Part::kFunction, "numpy")}), 1);  // the array
  EXPECT_EQ(count({.keep_parts = part(PartPattern::Part::kFile, "site-packages")}), 3);
  EXPECT_EQ(count({.drop_parts = part(PartPattern::Part::kFile, "site-packages")}), 5);
  EXPECT_EQ(count({.keep_parts = part(PartPattern::Part::kModule, "^json$")}), 1);
}

TEST(Origins, OfTheWholeReport) {
  const Profile profile = example();
  std::string text;
  for (const OriginCost& cost : make_origin_table(make_overview(profile, MetricId(0)))) {
    text += fmt::format("{} {}; ", id_of(cost.origin), cost.self);
  }
  EXPECT_EQ(text, "own 10; packages 27; standard-library 5; native 40; builtin 7; other 11; ");
}

TEST(Origins, TheStandardLibraryIsWhereTheSearchPathHasItsExtensions) {
  Example x;
  x.builder.profile().processes[0].attributes = {{"sys.path", "/src/cpython/Lib"},
                                                 {"sys.path", "/src/cpython/Lib/lib-dynload"}};
  const FunctionId json = x.python("dumps", "/src/cpython/Lib/json/__init__.py", "json");
  const FunctionId own = x.python("main", "/src/cpython/Library/main.py", "main.py");
  const FunctionId typed = x.python("f", "<stdin>", "<stdin>");
  const FunctionId frozen = x.python("_load", "<frozen importlib._bootstrap>", "<frozen x>");
  const Profile profile = x.builder.finish();
  const Origins origins(profile);
  EXPECT_EQ(origins.of(json), Origin::kStandardLibrary);
  EXPECT_EQ(origins.of(own), Origin::kOwn);
  EXPECT_EQ(origins.of(typed), Origin::kOwn);
  EXPECT_EQ(origins.of(frozen), Origin::kStandardLibrary);
}

TEST(ModuleName, FilesOutsideTheSearchPath) {
  Example x;
  const FunctionId far = x.python("f", "/home/a/b/tool.py", "/home/a/b/tool.py");
  const FunctionId frozen = x.python("g", "", "<frozen importlib._bootstrap>");
  const FunctionId nowhere = x.python("h", "", "");
  const Profile profile = x.builder.finish();
  EXPECT_EQ(module_name(profile, profile.functions[far.row()]), "tool");
  EXPECT_EQ(module_name(profile, profile.functions[frozen.row()]), "importlib._bootstrap");
  EXPECT_EQ(module_name(profile, profile.functions[nowhere.row()]), "(unknown)");
}

}  // namespace
}  // namespace pyrometer
