#include "axial/document/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "axial/base/text.hpp"
#include "axial/document/citation.hpp"
#include "axial/document/examine.hpp"
#include "axial/document/repair.hpp"
#include "axial/notation/print.hpp"

namespace axial::document {
namespace {

using notation::Declaration;
using notation::Domain;
using notation::Equation;
using notation::Form;
using notation::Signature;
using notation::Tree;

std::string kind_of(const Symbols& symbols, std::size_t item) {
  const notation::Statement& statement = *symbols.item(item).statement;
  if (std::holds_alternative<Signature>(statement)) return "signature";
  if (!std::holds_alternative<Equation>(statement)) return "declaration";
  switch (symbols.role(item)) {
    case Role::function:
    case Role::definition: return "definition";
    case Role::size: return "size";
    default: return "equation";
  }
}

std::string name_of(const notation::Statement& statement) {
  if (const auto* signature = std::get_if<Signature>(&statement)) return signature->name;
  if (const auto* declaration = std::get_if<Declaration>(&statement)) {
    std::string names;
    for (const Tree& name : declaration->names) {
      names += (names.empty() ? "" : ", ") + notation::to_text(name);
    }
    return names;
  }
  const auto* equation = std::get_if<Equation>(&statement);
  if (equation == nullptr || equation->sides.empty() || equation->continued) return {};
  const Tree& head = equation->sides[0];
  if (head.form == Form::apply && head.text != "pow") return head.text;
  return labelled_name(head) ? notation::to_text(head) : std::string{};
}

/// The domain that says the sizes of a statement's result, if any does.
const Domain* declared_domain(const Symbols& symbols, std::size_t item) {
  const notation::Statement& statement = *symbols.item(item).statement;
  if (const auto* declaration = std::get_if<Declaration>(&statement))
    return &declaration->domains[0];
  if (const auto* signature = std::get_if<Signature>(&statement)) return &signature->result;
  const auto* equation = std::get_if<Equation>(&statement);
  if (equation == nullptr) return nullptr;
  if (equation->domain) return &*equation->domain;
  if (symbols.role(item) == Role::function) {
    const Function* function = symbols.function_of(item);
    return function->signature == nullptr ? nullptr : &function->signature->result;
  }
  for (const Symbol* symbol : symbols.in_block_of(item)) {
    if (symbol->item != item) continue;
    const std::string key = key_of(symbol->name, {});
    for (const Symbol* other : symbols.candidates(symbol->name.base, key, item)) {
      const bool same = key_of(other->name, {}) == key;
      if (same && other->domain != nullptr && symbols.encloses(other->item, item))
        return other->domain;
    }
  }
  return nullptr;
}

std::vector<std::pair<std::string, std::optional<std::string>>> shape_text(
    const std::optional<Shape>& shape, const Domain* domain) {
  std::vector<std::pair<std::string, std::optional<std::string>>> result;
  std::set<std::string> names;
  if (shape) {
    for (const SizedAxis& axis : shape->sorted()) {
      if (!is_fresh(axis.axis)) names.insert(std::string(axis.axis.name()));
    }
  } else if (domain != nullptr) {
    for (const notation::AxisTerm& term : domain->axes) names.insert(term.name);
  }
  for (const std::string& name : names) {
    std::optional<std::string> size;
    if (domain != nullptr) {
      const auto term = std::ranges::find(domain->axes, name, &notation::AxisTerm::name);
      if (term != domain->axes.end() && !term->size.empty())
        size = notation::to_text(term->size[0]);
    }
    result.emplace_back(name, size);
  }
  return result;
}

class Checker {
 public:
  Checker(const Contents& contents, const CheckOptions& options)
      : contents_(contents), options_(options), symbols_(contents), citations_(contents) {}

  Report check() {
    recognise_vocabulary(symbols_, options_.seed);
    constexpr std::size_t most = 20;
    for (const Error& problem : contents_.problems) {
      // One mistake of this kind often makes many.
      if (report_.diagnostics.size() == most) break;
      diagnose(Severity::error, problem.code(), problem.span().value_or(Span{}), problem.message(),
               problem.hint());
    }
    for (std::size_t item = 0; item < contents_.items.size(); ++item) {
      if (!contents_.items[item].assumed) examine(item);
    }
    note_redeclared();
    note_unused();
    for (Diagnostic& diagnostic : report_.diagnostics) {
      diagnostic.span.end = std::min(diagnostic.span.end, contents_.source.size());
      diagnostic.span.begin = std::min(diagnostic.span.begin, diagnostic.span.end);
    }
    std::ranges::stable_sort(report_.diagnostics, {},
                             [](const Diagnostic& one) { return one.span.begin; });
    return std::move(report_);
  }

 private:
  void diagnose(Severity severity, const Code& code, Span span, std::string message,
                std::string hint, std::vector<Related> related = {}) {
    report_.diagnostics.push_back(
        {severity, &code, span, std::move(message), std::move(hint), std::move(related)});
  }

  void examine(std::size_t number) {
    const Item& item = contents_.items[number];
    Finding finding{item.span, "equation", {}, {}, Status::checked, false, {}, item.display};
    if (item.ignored) {
      finding.status = Status::skipped;
      finding.reason = "ignored by a comment";
    } else if (item.problem) {
      unread(number, finding);
    } else {
      statement(number, finding);
    }
    // Inside a sentence only what can be checked is worth a line.
    const bool is_mention = !item.display && finding.status == Status::skipped;
    if (!is_mention) report_.findings.push_back(std::move(finding));
  }

  void unread(std::size_t number, Finding& finding) {
    const Item& item = contents_.items[number];
    const Error& problem = *item.problem;
    const bool is_mistake = contents_.is_plain_text || problem.code().name == "unbalanced";
    finding.status = is_mistake && !item.error_expected ? Status::error : Status::skipped;
    finding.reason = problem.code().name == "syntax"
                         ? "it is not in the notation: " + problem.message()
                         : problem.message();
    if (finding.status != Status::error) return;
    std::string hint = problem.hint();
    if (!item.tokens.empty()) {
      const std::vector<Repair> fixes = repairs(contents_, number, options_);
      if (!fixes.empty()) hint = "perhaps " + described(fixes[0]);
      // Beside one that holds only another that holds is worth a thought.
      const bool has_second = fixes.size() > 1 && (fixes[1].verified || !fixes[0].verified);
      if (has_second) hint += ", or " + described(fixes[1]);
    }
    diagnose(Severity::error, problem.code(), problem.span().value_or(item.span), problem.message(),
             std::move(hint));
  }

  static std::string described(const Repair& repair) {
    const std::string_view support = repair.verified ? " (with this the equation holds)"
                                     : repair.typed  ? " (the types fit)"
                                                     : "";
    return fmt::format("`{}`{}", repair.formula, support);
  }

  void statement(std::size_t number, Finding& finding) {
    const Item& item = contents_.items[number];
    finding.kind = kind_of(symbols_, number);
    finding.name = name_of(*item.statement);
    Examined examined = std::visit(
        [&](const auto& statement) { return examined_by(number, statement); }, *item.statement);
    finding.status = examined.status;
    finding.verified = examined.verified;
    finding.reason = examined.reason;
    finding.shape = shape_text(examined.shape, declared_domain(symbols_, number));
    if (examined.mistake && item.error_expected) {
      finding.reason = "an error is expected here: " + examined.mistake->message;
      finding.status = Status::checked;
      return;
    }
    if (item.error_expected && !examined.mistake) {
      diagnose(Severity::warning, code("not-equal"), item.span,
               "no error was found, though a comment expects one", "remove the comment");
    }
    if (examined.mistake) {
      finding.reason = examined.mistake->message;
      if (!item.display && !is_certain(*examined.mistake)) {
        finding.status = Status::skipped;
        return;
      }
      report_.diagnostics.push_back(*examined.mistake);
    }
    for (const Remark& remark : examined.remarks) {
      const bool inside = item.span.begin <= remark.span.begin && remark.span.end <= item.span.end;
      if (inside && item.display) {
        diagnose(Severity::warning, *remark.code, remark.span, remark.message, remark.hint);
      }
    }
    if (!examined.mistake && item.display && !item.error_expected) citations(number);
  }

  void citations(std::size_t number) {
    for (const Miscitation& one : citations_.wrong_in(number)) {
      diagnose(Severity::warning, code("wrong-rule"), one.span, one.message, one.hint);
    }
  }

  /// A sentence may quote a formula for many reasons; only numbers that differ are a mistake.
  static bool is_certain(const Diagnostic& mistake) { return mistake.code->name == "not-equal"; }

  Examined examined_by(std::size_t item, const Equation& equation) {
    return examine_equation(symbols_, item, equation, options_);
  }
  Examined examined_by(std::size_t item, const Signature& signature) {
    return examine_signature(symbols_, item, signature, options_);
  }
  Examined examined_by(std::size_t item, const Declaration& declaration) {
    return examine_declaration(symbols_, item, declaration, options_);
  }
  Examined examined_by(std::size_t, const notation::Range&) { return {}; }

  void note_redeclared() {
    const std::vector<Symbol>& all = symbols_.all();
    std::map<std::pair<int, std::string>, const Symbol*> first;
    for (const Symbol& symbol : all) {
      const Item& item = contents_.items[symbol.item];
      const bool declares = std::holds_alternative<Declaration>(*item.statement) && item.display;
      if (!declares) continue;
      const auto [place, is_new] =
          first.emplace(std::pair{item.block, key_of(symbol.name, {})}, &symbol);
      if (is_new || *place->second->domain == *symbol.domain || is_parameter(symbol)) continue;
      diagnose(
          Severity::error, code("redeclared"), item.span,
          fmt::format("`{}` is declared twice with different shapes: {} and {}", symbol.name.base,
                      notation::to_text(*place->second->domain), notation::to_text(*symbol.domain)),
          "give one of them another name",
          {{contents_.items[place->second->item].span, "declared first here"}});
      for (Finding& finding : report_.findings) {
        if (finding.span == item.span) finding.status = Status::error;
      }
    }
  }

  bool is_parameter(const Symbol& symbol) const {
    const Function* function = symbols_.function_of(symbol.item);
    return function != nullptr &&
           std::ranges::find(function->parameters, symbol.name.base) != function->parameters.end();
  }

  void note_unused() {
    std::map<std::string, int, std::less<>> uses;
    for (const Item& item : contents_.items) {
      if (!item.statement || std::holds_alternative<Declaration>(*item.statement)) continue;
      for_each_formula(*item.statement, [&](const Tree& formula) {
        for_each_part(formula, [&](const Tree& part) {
          if (part.form != Form::name) return;
          ++uses[labelled_name(part)->base];
        });
      });
    }
    for (const Symbol& symbol : symbols_.all()) {
      const Item& item = contents_.items[symbol.item];
      const bool declares = std::holds_alternative<Declaration>(*item.statement) && item.display;
      if (!declares || item.assumed || uses.contains(symbol.name.base)) continue;
      diagnose(Severity::note, code("unused"), item.span,
               fmt::format("`{}` is declared and never used in a formula", symbol.name.base),
               "use it, or leave the declaration out");
    }
  }

  const Contents& contents_;
  CheckOptions options_;
  Symbols symbols_;
  Citations citations_;
  Report report_;
};

}  // namespace

Report check(const Contents& contents, const CheckOptions& options) {
  return Checker(contents, options).check();
}

}  // namespace axial::document
