// Runs a fuzz target without libFuzzer: mutations of the given files for a number of seconds.
//   fuzz_document [--seconds N] [--seed S] FILE...
// Each run has a seed of its own; an input that ends the program is left in crash-<seed>. Without
// `--seconds` the files themselves are run once, as libFuzzer does with what it found.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Random = std::mt19937_64;

constexpr std::size_t max_size = 20'000;
/// A single input may take this long; more is a finding too.
constexpr unsigned max_seconds = 20;

constexpr std::string_view dictionary[] = {"\\name{seq}",
                                           "\\name{key}",
                                           "\\ndef{\\seq}{seq}",
                                           "\\nsum{\\seq}",
                                           "\\ndot{\\key}",
                                           "\\ncat{\\seq}",
                                           "\\nfun{\\seq}{softmax}",
                                           "\\mathbb{R}",
                                           "\\reals^{\\seq}",
                                           "\\in",
                                           "\\times",
                                           "\\rightarrow",
                                           "\\colon",
                                           "\\frac{",
                                           "\\sqrt{",
                                           "\\left(",
                                           "\\right)",
                                           "\\odot",
                                           "\\ldots",
                                           "\\text{",
                                           "\\infty",
                                           "\\begin{align*}",
                                           "\\end{align*}",
                                           "\\begin{cases}",
                                           "\\end{cases}",
                                           "\\begin{bmatrix}",
                                           "\\end{bmatrix}",
                                           "\\[",
                                           "\\]",
                                           "$",
                                           "&=",
                                           "\\\\",
                                           "&",
                                           "\\partial",
                                           "\\lim_{n \\rightarrow \\infty}",
                                           "\\sum_{i=1}^n",
                                           "\\leq",
                                           "|\\seq|",
                                           "|seq|",
                                           "_{\\seq(i)}",
                                           "_{\\seq\\rightarrow\\key}",
                                           "^{t-1}",
                                           "^t",
                                           "^{l,Q}",
                                           "t = 1, \\ldots, n",
                                           "\\newcommand{\\a}[1]{#1}",
                                           "\\def\\a{\\a}",
                                           "\\section{A}",
                                           "where",
                                           "% axial: ignore\n",
                                           "% axial: assume x : R[seq]\n",
                                           "\n\n",
                                           "R[seq, key[n]]",
                                           "sum_seq",
                                           "softmax_seq",
                                           ".seq",
                                           "->",
                                           "∈",
                                           "⊙",
                                           "⊕_seq",
                                           "[[1, 2], [3, 4]]_{a, b}",
                                           "I_{a, b}",
                                           "_{a(i)}",
                                           "_{a -> b}",
                                           "cases {1 if i < j; 0 otherwise}",
                                           "∂",
                                           "∞",
                                           "…",
                                           "‖",
                                           "^*",
                                           "^†",
                                           "'",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "{",
                                           "}",
                                           "1e300",
                                           "99999999999999999999",
                                           "-1",
                                           "0",
                                           "[n]"};

std::vector<std::string> read_files(const std::vector<std::string>& paths) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (texts.empty()) texts.emplace_back();
  return texts;
}

std::size_t below(Random& random, std::size_t count) { return count == 0 ? 0 : random() % count; }

void mutate(std::string& text, const std::vector<std::string>& corpus, Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = below(random, random() % 4 == 0 ? text.size() + 1 : 12);
  switch (random() % 8) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(random());
      break;
    case 2: text.erase(at, length); break;
    case 3: text.insert(at, text.substr(below(random, text.size() + 1), length)); break;
    case 4: {  // a splice with another file
      const std::string& other = corpus[below(random, corpus.size())];
      text.insert(at, other.substr(below(random, other.size() + 1), random() % 200));
      break;
    }
    default: text.insert(at, dictionary[below(random, std::size(dictionary))]);
  }
}

/// An input: a file, or a short part of one, with some mutations. Short ones run faster.
std::string input(std::uint64_t seed, const std::vector<std::string>& corpus) {
  Random random(seed);
  std::string text = corpus[below(random, corpus.size())];
  if (random() % 4 != 0) {
    text =
        text.substr(below(random, text.size() + 1), 1 + random() % (random() % 2 == 0 ? 60 : 800));
  }
  const std::size_t count = 1 + random() % 8;
  for (std::size_t k = 0; k < count; ++k) mutate(text, corpus, random);
  // The first byte chooses the format of a document; LaTeX most of the time.
  text.insert(0, 1, static_cast<char>(random() % 2 == 0 ? 0 : random() % 4));
  if (text.size() > max_size) text.resize(max_size);
  return text;
}

// What a signal handler needs to leave the input behind.
const std::string* current = nullptr;
char crash_name[64] = {};

void leave_crash() {
  if (current == nullptr) return;
  const int file = open(crash_name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0) return;
  [[maybe_unused]] const auto written = write(file, current->data(), current->size());
  close(file);
  [[maybe_unused]] const auto told =
      write(2, crash_name, std::char_traits<char>::length(crash_name));
  [[maybe_unused]] const auto ended = write(2, " holds the input\n", 17);
}

extern "C" void on_signal(int signal) {
  leave_crash();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void catch_signals() {
  // A stack that overflows needs another one to say so.
  static char stack[1 << 16];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGALRM}) {
    struct sigaction action{};
    action.sa_handler = on_signal;
    action.sa_flags = SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

void run(const std::string& text, const std::string& name) {
  current = &text;
  std::snprintf(crash_name, sizeof crash_name, "crash-%s", name.c_str());
  alarm(max_seconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  alarm(0);
  current = nullptr;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> files;
  double seconds = 0;
  std::uint64_t seed = std::random_device{}();
  for (int k = 1; k < count; ++k) {
    const std::string_view word = arguments[k];
    if (word == "--seconds" && k + 1 < count) {
      seconds = std::strtod(arguments[++k], nullptr);
    } else if (word == "--seed" && k + 1 < count) {
      seed = std::strtoull(arguments[++k], nullptr, 10);
    } else {
      files.emplace_back(word);
    }
  }
  catch_signals();
  const std::vector<std::string> corpus = read_files(files);
  if (seconds <= 0) {
    for (std::size_t k = 0; k < corpus.size(); ++k) run(corpus[k], "file-" + std::to_string(k));
    return 0;
  }
  std::printf("from seed %llu on\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t runs = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
         seconds) {
    run(input(seed + runs, corpus), std::to_string(seed + runs));
    ++runs;
  }
  std::printf("%llu inputs were survived\n", static_cast<unsigned long long>(runs));
  return 0;
}
