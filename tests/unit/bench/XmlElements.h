// XmlElements: the elements of an XML text, for tests that look at one. Throws where it is not
// well-formed.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mlac::test {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text; ///< right inside it, entities as written

  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
};

/// In the order in which they begin. std::runtime_error says what is wrong and at which byte.
std::vector<XmlElement> xmlElements(std::string_view xml);

} // namespace mlac::test
