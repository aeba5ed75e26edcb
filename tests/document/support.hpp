// Short ways to check a document given as text and to say what came of it.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "axial/document/check.hpp"

namespace axial::document {

/// A document in LaTeX: definitions of the axes that tests use, then `body`.
std::string latex(const std::string& body);
/// One display, its rows as in align*.
std::string display(const std::string& rows);

/// The report on a text; the ending of `file` says what it is.
Report check_text(const std::string& text, const std::string& file = "document.tex",
                  const CheckOptions& options = {});

/// True if nothing is skipped, nothing is an error or a warning, and every definition and equation
/// is verified by numbers, of which there must be at least one.
::testing::AssertionResult holds(const std::string& text, const std::string& file = "document.tex");

/// The codes of all errors and warnings in order, with commas between.
std::string codes(const Report& report);
std::string codes(const std::string& text, const std::string& file = "document.tex");

/// A line for each finding and each diagnostic, for messages.
std::string outline(const Report& report);

/// The bytes of a file.
std::string bytes_of(const std::filesystem::path& path);
/// The LaTeX documents in examples/, sorted.
std::vector<std::filesystem::path> gallery();

}  // namespace axial::document
