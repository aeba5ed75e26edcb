#include "cli/demo.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "axial/base/environment.hpp"
#include "axial/base/error.hpp"
#include "cli/options.hpp"
#include "cli/run.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string color = "auto";
  /// Learn from the sample even if all of MNIST is there.
  bool sample = false;
  int threads = 0;
};

/// The folder of the examples: that of the repository we stand in, or were built in. Fails with
/// file-access.
fs::path examples() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (const fs::path& root : {fs::path("."), program.parent_path() / "../../.."}) {
    const fs::path folder = (root / "examples").lexically_normal();
    if (fs::exists(folder / "faulty.tex", ignored)) return folder;
  }
  throw axial::Error(axial::code("file-access"), "the documents of the demo are not here",
                     "run it from the root of the repository: ./axial demo");
}

/// Where `./axial fetch mnist` puts its files, if it did.
std::optional<fs::path> fetched_mnist() {
  const auto caches = axial::variable("XDG_CACHE_HOME");
  const auto home = axial::variable("HOME");
  const fs::path cache = caches ? fs::path(*caches)
                         : home ? fs::path(*home) / ".cache"
                                : fs::path();
  const fs::path folder = cache / "axial/data/mnist";
  std::error_code ignored;
  if (!fs::exists(folder / "train-images-idx3-ubyte", ignored)) return std::nullopt;
  return folder;
}

/// Prints what comes, and the commands that the user could have typed.
class Guide {
 public:
  explicit Guide(bool color) : color_(color) {}

  void title(std::string_view text) {
    const std::string head = fmt::format("{}. {}", ++number_, text);
    fmt::print("\n{}\n\n", color_ ? fmt::format("\x1b[1;36m{}\x1b[0m", head) : head);
    std::fflush(stdout);
  }
  int command(std::vector<std::string> arguments) {
    std::string line = "$ axial";
    for (const std::string& one : arguments) {
      const bool quoted = one.find_first_of(" ()^'") != std::string::npos;
      line += quoted ? fmt::format(" \"{}\"", one) : " " + one;
    }
    fmt::print("{}\n", color_ ? fmt::format("\x1b[2m{}\x1b[0m", line) : line);
    std::fflush(stdout);
    const int status = run(std::move(arguments));
    std::cout.flush();
    return status;
  }

 private:
  bool color_;
  int number_ = 0;
};

/// Learns LeNet from MNIST, or from the sample where nobody fetched it; returns the exit status.
int train_lenet(Guide& guide, const Options& options, const fs::path& folder, const fs::path& out) {
  const std::string document = (folder / "lenet.tex").string();
  const auto mnist = options.sample ? std::nullopt : fetched_mnist();
  std::vector<std::string> arguments = {
      "train",
      document,
      "--loss",
      "L",
      "--metric",
      "A",
      "--save",
      (out / "lenet.safetensors").string(),
      "--plot",
      (out / "loss.svg").string(),
      "--size",
      "c_0=1,c_1=16,c_2=32,kh_1=5,kw_1=5,kh_2=5,kw_2=5,ph_1=2,pw_1=2,ph_2=2,pw_2=2,hidden=128"};
  const auto add = [&](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
  };
  const auto file = [](std::string_view name, const fs::path& path) {
    return fmt::format("{}={}", name, path.string());
  };
  if (mnist) {
    add({"--data", file("G", *mnist / "train-images-idx3-ubyte"), "--data",
         file("y", *mnist / "train-labels-idx1-ubyte"), "--validate",
         file("G", *mnist / "t10k-images-idx3-ubyte"), "--validate",
         file("y", *mnist / "t10k-labels-idx1-ubyte"), "--epochs", "2", "--schedule",
         "cosine:warmup=100"});
  } else {
    add({"--data", file("G", folder / "data/digits-images-idx3-ubyte.gz"), "--data",
         file("y", folder / "data/digits-labels-idx1-ubyte.gz"), "--hold-out", "0.2", "--batch",
         "16", "--epochs", "10"});
  }
  if (options.threads > 0) add({"--threads", std::to_string(options.threads)});
  return guide.command(std::move(arguments));
}

int run_demo(const Options& options) {
  const fs::path folder = examples();
  const fs::path out = fs::temp_directory_path() / "axial-demo";
  fs::create_directories(out);
  const auto example = [&](const char* name) { return (folder / name).string(); };
  Output output;
  output.color = options.color;
  Guide guide(output.in_color());
  int worst = 0;
  const auto check = [&](std::vector<std::string> arguments) {
    if (options.color != "auto") arguments.insert(arguments.end(), {"--color", options.color});
    return arguments;
  };
  const auto expect = [&](int status, int expected) { worst = status == expected ? worst : 1; };

  guide.title("A document with five mistakes is checked like code");
  expect(guide.command(check({"check", example("faulty.tex")})), 1);

  guide.title("The same without them: typed, and verified by numbers");
  expect(guide.command(check({"check", example("corrected.tex"), "--all"})), 0);

  guide.title("The derivative of attention, one rule a line");
  expect(guide.command(
             {"diff", example("attention.tex"), "Attention(q, K, V)", "--wrt", "q", "--steps"}),
         0);

  guide.title("How it is computed: what runs together, and what it costs");
  expect(guide.command({"explain", example("attention.tex"), "Attention(q, K, V)", "--size",
                        "seq=4096,key=64,val=64"}),
         0);

  guide.title("LeNet, as the document describes it, learns to read digits");
  expect(train_lenet(guide, options, folder, out), 0);

  guide.title("What it learned reads a digit that it has not seen: class 8 is the digit 7");
  expect(guide.command({"eval", example("lenet.tex"), "argmax_classes O", "--load",
                        (out / "lenet.safetensors").string(), "--set",
                        "G=" + example("data/seven-idx2-ubyte")}),
         0);

  fmt::print("\nThe curve of the loss is in {}; what was learned beside it.\n",
             (out / "loss.svg").string());
  if (options.sample || !fetched_mnist())
    fmt::print("This was a sample of 600 digits. All 70,000: ./axial fetch mnist, then again.\n");
  return worst;
}

}  // namespace

void add_demo(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("demo", "Two minutes that show what Axial does");
  command->add_flag("--sample", options->sample, "Learn from the sample of digits, not from MNIST");
  command->add_option("--threads", options->threads, "How many threads compute")
      ->check(CLI::PositiveNumber);
  command->add_option("--color", options->color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command->callback([options, &status] { status = run_demo(*options); });
}

}  // namespace cli
