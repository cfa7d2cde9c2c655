#include "XmlElements.h"

#include <array>
#include <cctype>
#include <stdexcept>

namespace mlac::test {
namespace {

constexpr std::array<std::string_view, 4> kEntities = {"&amp;", "&lt;", "&gt;", "&quot;"};

class XmlReader {
public:
  explicit XmlReader(std::string_view xml) : xml(xml) {}

  std::vector<XmlElement> read() {
    while (at < xml.size())
      xml[at] == '<' ? readTag() : readText();
    require(open.empty() && !elements.empty(), "an element is not closed");
    return std::move(elements);
  }

private:
  void require(bool holds, const std::string& what) const {
    if (!holds)
      throw std::runtime_error(what + " at byte " + std::to_string(at));
  }

  bool take(std::string_view word) {
    const bool found = xml.substr(at).starts_with(word);
    at += found ? word.size() : 0;
    return found;
  }

  std::string name() {
    const std::size_t start = at;
    while (at < xml.size() &&
           (std::isalnum(static_cast<unsigned char>(xml[at])) != 0 || xml[at] == '-'))
      ++at;
    require(at > start, "a name is missing");
    return std::string(xml.substr(start, at - start));
  }

  /// Characters up to `end`, none of which has a meaning of its own.
  std::string plain(char end) {
    const std::size_t start = at;
    while (at < xml.size() && xml[at] != end) {
      require(xml[at] != '<' && xml[at] != '>', "a bracket in text");
      if (xml[at] != '&') {
        ++at;
        continue;
      }
      bool isEntity = false;
      for (const std::string_view entity : kEntities)
        isEntity = isEntity || take(entity);
      require(isEntity, "an ampersand in text");
    }
    return std::string(xml.substr(start, at - start));
  }

  void readText() {
    const std::string text = plain('<');
    if (!open.empty())
      elements[open.back()].text += text;
    else
      require(text.find_first_not_of("\n ") == std::string::npos, "text outside the root");
  }

  void readTag() {
    if (take("</")) {
      require(!open.empty() && name() == elements[open.back()].name, "the wrong end tag");
      require(take(">"), "an end tag without its end");
      open.pop_back();
      return;
    }
    require(take("<"), "no tag");
    require(!open.empty() || elements.empty(), "a second root");
    XmlElement element;
    element.name = name();
    while (take(" ")) {
      const std::string attribute = name();
      require(take("=\""), "an attribute without a value");
      require(element.attributes.emplace(attribute, plain('"')).second, "an attribute twice");
      require(take("\""), "a value without its end");
    }
    elements.push_back(std::move(element));
    if (take("/>"))
      return;
    require(take(">"), "a tag without its end");
    open.push_back(elements.size() - 1);
  }

  std::string_view xml;
  std::size_t at = 0;
  std::vector<XmlElement> elements;
  std::vector<std::size_t> open;
};

} // namespace

std::vector<XmlElement> xmlElements(std::string_view xml) {
  return XmlReader(xml).read();
}

} // namespace mlac::test
