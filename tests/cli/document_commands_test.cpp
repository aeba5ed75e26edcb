// The commands that read documents, as a user meets them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/support.hpp"

namespace axial {
namespace {

using testing::HasSubstr;

/// Runs the program at the root of the repository.
Outcome run(const std::string& arguments) {
  return run_shell(fmt::format("cd {} && {} {}", AXIAL_SOURCE_DIR, AXIAL_PROGRAM, arguments));
}

/// A file that is there while the test runs.
class File {
 public:
  File(const std::string& name, const std::string& text)
      : path_((std::filesystem::temp_directory_path() / fmt::format("axial-{}-{}", getpid(), name))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(check, ends_with_0_for_a_document_without_errors) {
  const auto [status, printed] = run("check examples/attention.tex");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(printed, HasSubstr("0 errors"));
}

TEST(check, ends_with_1_for_a_document_with_errors) {
  const auto [status, printed] = run("check examples/faulty.tex");
  EXPECT_EQ(status, 1);
  EXPECT_THAT(printed, HasSubstr("error"));
  EXPECT_THAT(printed, HasSubstr("^"));
}

TEST(check, ends_with_2_for_a_file_that_cannot_be_read) {
  EXPECT_EQ(run("check no/such/file.tex").status, 2);
  EXPECT_EQ(run("check").status, 2);
  EXPECT_EQ(run("check --format=xml examples/attention.tex").status, 2);
}

TEST(check, prints_one_object_as_json) {
  const auto [status, printed] = run("check --format json examples/faulty.tex examples/rnn.tex");
  EXPECT_EQ(status, 1);
  for (const char* field : {"\"files\"",
                            "\"path\": \"examples/faulty.tex\"",
                            "\"path\": \"examples/rnn.tex\"",
                            "\"summary\"",
                            "\"equations\"",
                            "\"checked\"",
                            "\"skipped\"",
                            "\"errors\"",
                            "\"warnings\"",
                            "\"kind\"",
                            "\"status\"",
                            "\"verified\"",
                            "\"reason\"",
                            "\"shape\"",
                            "\"diagnostics\"",
                            "\"severity\"",
                            "\"code\"",
                            "\"end_column\"",
                            "\"message\"",
                            "\"hint\"",
                            "\"related\""}) {
    EXPECT_THAT(printed, HasSubstr(field));
  }
}

TEST(check, uses_colour_only_when_told_to) {
  EXPECT_THAT(run("check examples/faulty.tex").printed, testing::Not(HasSubstr("\x1b[")));
  EXPECT_THAT(run("check --color always examples/faulty.tex").printed, HasSubstr("\x1b["));
}

TEST(check, finds_files_beside_the_document) {
  const File macros("macros.tex", "\\ndef{\\seq}{seq}\n");
  const std::string name = std::filesystem::path(macros.path()).filename().string();
  const File document("main.tex", "\\begin{document}\\input{" + name +
                                      "}\n\\[ X \\in \\mathbb{R}^{\\seq} \\]\\end{document}\n");
  const std::filesystem::path path(document.path());
  const auto [status, printed] =
      run(fmt::format("--version; cd {} && {} check {}", path.parent_path().string(), AXIAL_PROGRAM,
                      path.filename().string()));
  EXPECT_EQ(status, 0) << printed;
}

TEST(eval, computes_with_values_from_the_command_line) {
  const auto [status, printed] =
      run("eval - 'sum_seq X' --set 'X[seq, key]=[[1, 2], [3, 4]]' --format json");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(printed, "{\"order\":[\"key\"],\"shape\":{\"key\":2},\"values\":[4.0,6.0]}\n");
}

TEST(eval, takes_the_axes_of_a_value_from_its_declaration) {
  const File document("sum.nt", "X ∈ R[seq, key]\n");
  const auto [status, printed] = run(
      fmt::format("eval {} 'sum_key X' --set 'X=[[1, 2], [3, 4]]' --format json", document.path()));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(printed, "{\"order\":[\"seq\"],\"shape\":{\"seq\":2},\"values\":[3.0,7.0]}\n");
}

TEST(eval, draws_the_same_numbers_for_the_same_seed) {
  const std::string command = "eval examples/attention.tex 'Attention(q, K, V)' --random --seed ";
  EXPECT_EQ(run(command + "1").printed, run(command + "1").printed);
  EXPECT_NE(run(command + "1").printed, run(command + "2").printed);
}

TEST(eval, asks_for_values_that_are_missing) {
  const auto [status, printed] = run("eval examples/attention.tex 'Attention(q, K, V)'");
  EXPECT_EQ(status, 1);
  EXPECT_THAT(printed, HasSubstr("has no value"));
  EXPECT_THAT(printed, HasSubstr("--random"));
}

TEST(eval, writes_and_reads_files) {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("axial-{}.npy", getpid())).string();
  EXPECT_EQ(run("eval - 'X + 1' --set 'X[seq]=[1, 2]' --out " + path).status, 0);
  const auto [status, printed] =
      run(fmt::format("eval - 'sum_seq X' --set X={} --format json", path));
  std::filesystem::remove(path);
  EXPECT_EQ(status, 0) << printed;
  EXPECT_THAT(printed, HasSubstr("[5.0]"));
}

TEST(eval, refuses_what_it_cannot_read) {
  for (const char* arguments : {"eval - 'X +' --set X=1", "eval - X --set 'X=[1,2]'",
                                "eval - 'sum_key X' --set 'X[seq]=[1]'"}) {
    const auto [status, printed] = run(arguments);
    EXPECT_EQ(status, 1) << arguments;
    EXPECT_FALSE(printed.empty()) << arguments;
  }
}

TEST(eval, ends_with_2_if_a_value_of_an_option_is_wrong_or_a_file_cannot_be_read) {
  for (const char* arguments :
       {"eval - X --set X", "eval - X --set 'X[seq=[1]'", "eval - X --set 'X[se-q]=[1]'",
        "eval - X --set 'X[seq, seq]=[[1]]'", "diff - X --wrt X --assume 'X : R[seq'",
        "eval - X --set 'X=[[1],[2,3]]'", "eval - X --set X=abc", "eval - X --set X=none.npy",
        "eval - 1 --size seq=0", "eval - 1 --size seq", "eval - 1 --dtype int8",
        "eval - 1 --out value.bmp", "eval - 1 --load none.npz", "eval none.tex 1",
        "diff none.tex x --wrt x", "diff - x --wrt x --order 9",
        "fmt examples/attention.tex --to html", "check examples/attention.tex --trials 0"}) {
    const auto [status, printed] = run(arguments);
    EXPECT_EQ(status, 2) << arguments << "\n" << printed;
    EXPECT_THAT(printed, testing::StartsWith("axial: ")) << arguments;
  }
}

TEST(explain, ends_with_2_if_a_value_of_an_option_is_wrong) {
  for (const char* wrong : {"--without nonsense", "--after nonsense", "--size seq", "--set X",
                            "--without order --after order", "--format xml", "--threads 0"}) {
    const auto [status, printed] =
        run(fmt::format("explain examples/attention.tex 'Attention(q, K, V)' {}", wrong));
    EXPECT_EQ(status, 2) << wrong << "\n" << printed;
  }
}

TEST(fmt_command, converts_to_the_other_form) {
  EXPECT_THAT(run("fmt examples/attention.tex").printed, HasSubstr("softmax_seq"));
  const File document("plain.nt", "X ∈ R[seq, key]\nY = sum_seq X ⊙ X\n");
  const std::string latex = run("fmt " + document.path()).printed;
  EXPECT_THAT(latex, HasSubstr("\\usepackage{amsmath,amssymb,namedtensor}"));
  EXPECT_THAT(latex, HasSubstr("\\nsum{\\name{seq}}"));
}

TEST(diff, takes_formulas_that_start_with_a_minus_sign) {
  EXPECT_EQ(run("diff - '-X' --wrt X --assume 'X ∈ R[ax]'").printed, "∂(-X)/∂X^* = -I_{ax, ax*}\n");
  EXPECT_EQ(run("eval - '-2' --format json").status, 0);
}

TEST(diff, prints_sizes_as_json) {
  const auto [status, printed] =
      run("diff - 'softmax_ax X' --wrt X --assume 'X ∈ R[ax[n]]' --order 2 --format json");
  EXPECT_EQ(status, 0);
  EXPECT_THAT(printed, HasSubstr(R"("shape":{"ax":"n","ax*":"n","ax†":"n"})"));
}

TEST(diff, breaks_long_lines_of_latex) {
  const std::string latex =
      run("diff - 'softmax_ax X' --wrt X --assume 'X ∈ R[ax]' --order 2 --to latex").printed;
  EXPECT_THAT(latex, HasSubstr(" \\\\\n  &\\quad \\odot "));
}

}  // namespace
}  // namespace axial
