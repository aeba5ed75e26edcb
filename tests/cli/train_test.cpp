// `axial train`, `axial generate` and `axial demo`, as a user meets them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "cli/support.hpp"

namespace axial {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A folder of its own with a document and data; commands run in it.
class Place {
 public:
  Place()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("axial-cli-{}", getpid())) {
    std::filesystem::create_directories(folder_);
    put("line.nt", "x ∈ R[inp]\nt ∈ R\nw ∈ R[inp]\nb ∈ R\nE = w .inp x + b - t\nL = E^2\n");
    put("text.tex",
        "\\begin{align*} w, v &\\in [|\\name{vocab}|]^{\\name{seq}} \\\\"
        " Z &= U_{\\name{vocab'}(w)} & U &\\in \\mathbb{R}^{\\name{vocab'}[256] \\times "
        "\\name{vocab}} \\\\"
        " H &= \\nfun{\\name{seq}}{mean}(\\nfun{\\name{vocab}}{logsumexp} Z - Z_{\\name{vocab}(v)})"
        " \\end{align*}\n");
    std::string text;
    for (int k = 0; k < 300; ++k) text += "abc";
    put("abc.txt", text);
    (*this)("eval - X --random --size batch=40,inp=2 --out x.npy --set ignored=0");
  }
  ~Place() { std::filesystem::remove_all(folder_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string text(const std::string& name) const {
    std::stringstream all;
    all << std::ifstream(folder_ / name).rdbuf();
    return all.str();
  }
  bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  Outcome operator()(const std::string& arguments, const std::string& before = "") const {
    return run_shell(
        fmt::format("cd {} && {} {} {}", folder_.string(), before, AXIAL_PROGRAM, arguments));
  }

 private:
  std::filesystem::path folder_;
};

const std::string learn_text =
    "train text.tex --loss H --text w,v=abc.txt --size seq=8 --batch 8 --hold-out 0.2 "
    "--optimizer adam:lr=0.3 --seed 3 ";

TEST(train_command, learns_predicts_and_draws) {
  const Place place;
  const Outcome learned = place("train $PWD/" + learn_text.substr(6) +
                                "--epochs 6 --metric H --save w.safetensors --plot curve.svg");
  EXPECT_EQ(learned.status, 0) << learned.printed;
  EXPECT_THAT(learned.printed, HasSubstr("U          {vocab[256], vocab'[256]}      65536"));
  EXPECT_THAT(learned.printed, HasSubstr("finished after"));
  EXPECT_THAT(place.text("curve.svg"), HasSubstr(">held out</text>"));
  EXPECT_THAT(place.text("curve.svg"), HasSubstr(">text.tex: H</text>"));
  const Outcome written = place(
      "generate text.tex Z --text w --load w.safetensors --prompt ab --length 7 --temperature "
      "0.01");
  EXPECT_EQ(written.printed, "abcabcabc\n");
  const Outcome read = place(
      "eval text.tex 'argmax_vocab(Z)_{vocab(99)}' --load w.safetensors --size "
      "seq=1 --set w=[99] --set v=[1]");
  EXPECT_EQ(read.status, 0) << read.printed;
}

TEST(train_command, goes_on_with_the_same_numbers_after_it_was_stopped) {
  const Place place;
  const std::string options = learn_text + "--epochs 3 --format json ";
  const auto last = [](const Outcome& run) {
    std::istringstream lines(run.printed);
    json found;
    for (std::string line; std::getline(lines, line);) {
      const json event = json::parse(line);
      if (event["event"] == "epoch") found = event;
    }
    return found;
  };
  const Outcome whole = place(options + "--save whole.safetensors");
  EXPECT_EQ(place(options + "--save part.safetensors --steps 4").status, 0);
  const Outcome rest = place(options + "--save part.safetensors --resume");
  EXPECT_EQ(last(whole)["epoch"], 3);
  EXPECT_EQ(last(whole), last(rest));
  EXPECT_EQ(place.text("whole.safetensors"), place.text("part.safetensors"));
}

TEST(train_command, stops_cleanly_when_the_user_wishes) {
  const Place place;
  const Outcome run = place(learn_text + "--epochs 1000000 --save w.safetensors --save-every 0",
                            "timeout -s INT 3");
  EXPECT_THAT(run.printed, HasSubstr("stopped after"));
  EXPECT_TRUE(place.has("w.safetensors"));
}

TEST(train_command, explains_wrong_uses) {
  const Place place;
  const auto told = [&](const std::string& arguments, int status) {
    const Outcome run = place(arguments);
    EXPECT_EQ(run.status, status) << run.printed;
    return run.printed;
  };
  EXPECT_THAT(told("train missing.nt --loss L --data x=x.npy", 2), HasSubstr("missing.nt"));
  EXPECT_THAT(told("train line.nt --loss L --data x=none.npy", 2), HasSubstr("none.npy"));
  EXPECT_THAT(told("train line.nt --data x=x.npy", 2), HasSubstr("--loss"));
  EXPECT_THAT(told("train text.tex --loss H --text w,v=abc.txt", 1), HasSubstr("--size seq=128"));
  EXPECT_THAT(told("train text.tex --loss H --text w,v=abc.txt --size seq=8 --batch 10000", 1),
              HasSubstr("choose --batch between"));
}

TEST(train_command, ends_with_2_if_a_value_of_an_option_is_wrong) {
  const Place place;
  const auto told = [&](const std::string& arguments) {
    const Outcome run = place(arguments);
    EXPECT_EQ(run.status, 2) << run.printed;
    return run.printed;
  };
  const auto told_of = [&](const std::string& more) {
    return told("train text.tex --loss H --text w,v=abc.txt --size seq=8 " + more);
  };
  EXPECT_THAT(told("train line.nt --loss L"), HasSubstr("there is no data"));
  EXPECT_THAT(told("train text.tex --loss H --text abc.txt --size seq=8"),
              HasSubstr("does not say which tensor"));
  EXPECT_THAT(told_of("--resume"), HasSubstr("--resume does not say"));
  EXPECT_THAT(told_of("--save w.npz"), HasSubstr("w.safetensors"));
  EXPECT_THAT(told_of("--plot loss.bmp"), HasSubstr("loss.svg"));
  EXPECT_THAT(told_of("--plot none/loss.svg"), HasSubstr("there is no folder none"));
  EXPECT_THAT(told_of("--save none/w.safetensors"), HasSubstr("there is no folder none"));
  EXPECT_THAT(told_of("--optimizer adam:rate=1"), HasSubstr("rate"));
  EXPECT_THAT(told_of("--optimizer newton"), HasSubstr("there is no optimizer `newton`"));
  EXPECT_THAT(told_of("--optimizer adam:lr=fast"), HasSubstr("not a number"));
  EXPECT_THAT(told_of("--schedule often"), HasSubstr("there is no schedule `often`"));
  EXPECT_THAT(told_of("--schedule cosine:warmup=soon"), HasSubstr("warmup"));
  EXPECT_THAT(told_of("--size seq"), HasSubstr("--size `seq` is not NAME=VALUE"));
  EXPECT_THAT(told_of("--size seq=many"), HasSubstr("`many` is not a size"));
  EXPECT_THAT(told_of("--axes w"), HasSubstr("--axes `w` is not NAME=VALUE"));
  EXPECT_THAT(told_of("--axes w=batch,,seq"), HasSubstr("is not a name for an axis"));
  EXPECT_THAT(told_of("--axes w=seq,seq"), HasSubstr("listed twice"));
  EXPECT_THAT(told_of("--set U"), HasSubstr("--set `U` is not NAME=VALUE"));
  EXPECT_THAT(told_of("--set U=abc"), HasSubstr("neither numbers nor a file"));
  EXPECT_THAT(told_of("--set U=[[1],[2,3]]"), HasSubstr("rows of different length"));
  EXPECT_THAT(told_of("--metric H"), HasSubstr("--hold-out"));
  EXPECT_THAT(told_of("--hold-out 2"), HasSubstr("not a part of the examples"));
  EXPECT_THAT(told_of("--hold-out 0.1 --validate w,v=abc.txt"), HasSubstr("exclude each other"));
  EXPECT_THAT(told_of("--save-every -1"), HasSubstr("--save-every"));
  EXPECT_THAT(told_of("--load none.safetensors"), HasSubstr("none.safetensors"));
}

TEST(generate_command, ends_with_2_if_a_value_of_an_option_is_wrong) {
  const Place place;
  for (const char* wrong : {"--load none.safetensors", "--load abc.txt", "--load x.npy --size seq",
                            "--load x.npy --size seq=0", "--load x.npy --length 0",
                            "--load x.npy --temperature 0", "--load x.npy --threads 0"}) {
    const Outcome run = place(fmt::format("generate text.tex Z --text w {}", wrong));
    EXPECT_EQ(run.status, 2) << wrong << "\n" << run.printed;
  }
}

TEST(demo, ends_with_2_if_a_value_of_an_option_is_wrong) {
  const Place place;
  for (const char* wrong : {"--threads 0", "--color blue", "--steps"}) {
    EXPECT_EQ(place(fmt::format("demo {}", wrong)).status, 2) << wrong;
  }
}

TEST(slow_demo, shows_everything_for_real) {
  const Place place;
  const Outcome run = place("demo --sample", fmt::format("cd {} && ", AXIAL_SOURCE_DIR));
  EXPECT_EQ(run.status, 0);
  for (const char* part : {"[contraction-axis]", "14 checked", "[quotient rule]", "at the peak",
                           "epoch 10", "loss.svg"}) {
    EXPECT_THAT(run.printed, HasSubstr(part));
  }
}

}  // namespace
}  // namespace axial
