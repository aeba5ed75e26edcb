#include "axial/tex/simplify.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "axial/tex/words.hpp"

namespace axial::tex {
namespace {

using Word = std::string_view;

enum class Options { none, brackets };
enum class Braces { stay, go };

/// A command that is gone, together with a star, perhaps options, and `groups` arguments behind it.
/// `braces` tells what becomes of those of the argument that follows.
struct Rule {
  Word name;
  int groups = 0;
  Options options = Options::none;
  Braces braces = Braces::stay;
};

constexpr auto rules = std::to_array<Rule>({
    {"notag"},
    {"nonumber"},
    {"allowdisplaybreaks", 0, Options::brackets},
    {"displaystyle"},
    {"textstyle"},
    {"scriptstyle"},
    {"scriptscriptstyle"},
    {"limits"},
    {"nolimits"},
    {"displaylimits"},
    {"protect"},
    {"relax"},
    {"strut"},
    {"mathstrut"},
    {"noindent"},
    {"allowbreak"},
    {"nobreak"},
    {"break"},
    {"xspace"},
    {"hfill"},
    {"hfil"},
    {"centering"},
    {"small"},
    {"footnotesize"},
    {"boldmath"},
    {"mathmakebox", 0, Options::brackets},
    {"smash", 0, Options::brackets},
    {"fi"},
    {"ignorespaces"},
    {"unskip"},
    {"tag", 1},
    {"hspace", 1},
    {"vspace", 1},
    {"mspace", 1},
    {"phantom", 1},
    {"hphantom", 1},
    {"vphantom", 1},
    {"color", 1, Options::brackets},
    {"raisetag", 1},
    {"rule", 2, Options::brackets},
    {"setlength", 2},
    {"raisebox", 1, Options::brackets},
    {"scalebox", 1, Options::brackets},
    {"resizebox", 2, Options::brackets},
    {"textcolor", 1, Options::brackets, Braces::go},
    {"colorbox", 1, Options::brackets, Braces::go},
    {"ensuremath", 0, Options::none, Braces::go},
    {"mathopen", 0, Options::none, Braces::go},
    {"mathclose", 0, Options::none, Braces::go},
    {"mathrel", 0, Options::none, Braces::go},
    {"mathbin", 0, Options::none, Braces::go},
    {"mathinner", 0, Options::none, Braces::go},
    {"mathpunct", 0, Options::none, Braces::go},
});

constexpr auto spaces = std::to_array<Word>(
    {",", ";", ":", "!", " ", "/", ">", "enspace", "thinspace", "medspace", "thickspace",
     "negthinspace", "negmedspace", "negthickspace", "nobreakspace", "par", "space"});

constexpr auto sizes = std::to_array<Word>({"left", "right", "middle", "big", "Big", "bigg", "Bigg",
                                            "bigl", "Bigl", "biggl", "Biggl", "bigr", "Bigr",
                                            "biggr", "Biggr", "bigm", "Bigm", "biggm", "Biggm"});

constexpr auto lengths = std::to_array<Word>({"kern", "hskip", "mkern", "mskip"});

/// Environments with an argument in braces.
constexpr auto with_columns = std::to_array<Word>(
    {"array", "alignedat", "alignat", "xalignat", "subarray", "tabular", "IEEEeqnarray", "darray"});
/// Environments with an argument in brackets. \begin{bmatrix} [a] \end{bmatrix} has none.
constexpr auto with_option = std::to_array<Word>(
    {"array", "aligned", "alignedat", "gathered", "multlined", "tabular", "matrix*", "pmatrix*",
     "bmatrix*", "vmatrix*", "Vmatrix*", "Bmatrix*", "darray"});

/// Copies tokens one by one, leaving out what a rule takes away.
class Simplifier {
 public:
  explicit Simplifier(const Tokens& tokens)
      : tokens_(tokens), ends_(matching_ends(tokens)), gone_(tokens.size(), false) {}

  Tokens run() {
    while (at_ < tokens_.size()) {
      if (!gone_[at_]) step();
      if (at_ < tokens_.size()) ++at_;
    }
    return std::move(result_);
  }

 private:
  void step();
  void command(const Token& token);
  void size();
  void line_end();
  void length();
  void environment(const Token& token);
  void space(const Token& token);

  bool is(std::size_t index, TokenKind kind) const {
    return index < tokens_.size() && tokens_[index].kind == kind;
  }
  bool is_character(std::size_t index, Word text) const {
    return is(index, TokenKind::character) && tokens_[index].text == text;
  }
  /// The first token behind `index` that is no space.
  std::size_t behind(std::size_t index) const {
    while (is(++index, TokenKind::space)) {
    }
    return index;
  }
  void pass_star() {
    if (is_character(behind(at_), "*")) at_ = behind(at_);
  }
  void pass_option();
  void pass_group();

  const Tokens& tokens_;
  std::vector<std::size_t> ends_;
  std::vector<bool> gone_;
  Tokens result_;
  std::size_t at_ = 0;
};

void Simplifier::step() {
  const Token& token = tokens_[at_];
  switch (token.kind) {
    case TokenKind::command: return command(token);
    case TokenKind::space: return space(token);
    case TokenKind::begin: return environment(token);
    default: result_.push_back(token);
  }
}

void Simplifier::space(const Token& token) {
  if (!result_.empty() && result_.back().kind == TokenKind::space) return;
  result_.push_back({TokenKind::space, " ", token.span});
}

void Simplifier::command(const Token& token) {
  if (is_one_of(token.text, spaces)) return space(token);
  if (is_one_of(token.text, sizes)) return size();
  if (is_one_of(token.text, lengths)) return length();
  const auto* const rule = std::ranges::find(rules, token.text, &Rule::name);
  if (rule != rules.end()) {
    if (rule->groups > 0) pass_star();
    if (rule->options == Options::brackets) pass_option();
    for (int i = 0; i < rule->groups; ++i) pass_group();
    const std::size_t next = behind(at_);
    if (rule->braces == Braces::go && is(next, TokenKind::open)) {
      if (ends_[next] < gone_.size()) gone_[ends_[next]] = true;
      at_ = next;
    }
    return;
  }
  if (token.text == "\\" || token.text == "cr" || token.text == "newline") return line_end();
  if (token.text == "mbox" || token.text == "hbox") {
    result_.push_back({TokenKind::command, "text", token.span});
  } else if (token.text.starts_with("operatorname")) {
    result_.push_back({TokenKind::command, "operatorname", token.span});
    pass_star();
  } else {
    result_.push_back(token);
  }
}

// \left( is ( and \left. is a delimiter that is not seen.
void Simplifier::size() {
  const std::size_t next = behind(at_);
  if (!is_character(next, ".") || tokens_[at_].text.starts_with("big") ||
      tokens_[at_].text.starts_with("Big")) {
    return;
  }
  result_.push_back({TokenKind::command, "null_delimiter", tokens_[next].span});
  at_ = next;
}

// \\*[1ex] is \\. Only what looks like a length is one: a row may begin with a bracket.
void Simplifier::line_end() {
  result_.push_back({TokenKind::command, "\\", tokens_[at_].span});
  if (is_character(at_ + 1, "*")) ++at_;
  if (!is_character(at_ + 1, "[") || at_ + 2 >= tokens_.size()) return;
  const Token& first = tokens_[at_ + 2];
  const bool is_length =
      first.kind == TokenKind::command ||
      (first.kind == TokenKind::character && Word("0123456789.-+").find(first.text) != Word::npos);
  if (!is_length) return;
  for (std::size_t i = at_ + 2; i < tokens_.size() && i < at_ + 30; ++i) {
    if (is_character(i, "]")) {
      at_ = i;
      return;
    }
    if (!is(i, TokenKind::character) && !is(i, TokenKind::command) && !is(i, TokenKind::space)) {
      return;
    }
  }
}

// \kern-3mu: a number and the two letters of its unit, or a command.
void Simplifier::length() {
  std::size_t next = behind(at_);
  while (is(next, TokenKind::character) &&
         Word("0123456789.,-+").find(tokens_[next].text) != Word::npos) {
    next = behind(next);
  }
  if (is(next, TokenKind::command)) {
    at_ = next;
    return;
  }
  at_ = next - 1;
  for (int letters = 0; letters < 2 && is(at_ + 1, TokenKind::character); ++letters) ++at_;
}

void Simplifier::environment(const Token& token) {
  result_.push_back(token);
  if (is_one_of(token.text, with_option)) pass_option();
  if (is_one_of(unstarred(token.text), with_columns) && is(behind(at_), TokenKind::open)) {
    pass_group();
  }
}

void Simplifier::pass_option() {
  while (is_character(behind(at_), "[")) {
    std::size_t close = behind(at_);
    // Options are short; without a limit, many that are not closed would take long.
    const std::size_t limit = std::min(tokens_.size(), close + 60);
    while (close < limit && !is_character(close, "]")) {
      close = is(close, TokenKind::open) ? ends_[close] : close;
      ++close;
    }
    if (close >= limit) return;
    at_ = close;
  }
}

void Simplifier::pass_group() {
  const std::size_t next = behind(at_);
  if (next >= tokens_.size() || is(next, TokenKind::close) || is(next, TokenKind::end)) return;
  at_ = is(next, TokenKind::open) ? ends_[next] : next;
}

}  // namespace

std::vector<std::size_t> matching_ends(const Tokens& tokens) {
  std::vector<std::size_t> ends(tokens.size(), tokens.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const TokenKind kind = tokens[i].kind;
    if (kind == TokenKind::open || kind == TokenKind::begin) open.push_back(i);
    if ((kind == TokenKind::close || kind == TokenKind::end) && !open.empty()) {
      ends[open.back()] = i;
      open.pop_back();
    }
  }
  return ends;
}

Tokens simplified(const Tokens& tokens) { return Simplifier(tokens).run(); }

}  // namespace axial::tex
