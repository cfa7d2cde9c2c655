// Table: the mutation suite as the page for people, docs/simt-mutations.md.
#pragma once

#include <string>

namespace mlac::mutations {

/// The whole page, from the rows of the suite.
std::string mutationPage();

} // namespace mlac::mutations
