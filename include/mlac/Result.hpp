// Result<T>: a value, or the error that kept it from being made. No exception crosses mlac's edge.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace mlac {

/// What kind of thing went wrong. The C ABI carries the same numbers; they never change meaning.
enum class ErrorCode : std::int32_t {
  Ok = 0,
  InvalidSpec = 1,        ///< the spec text is wrong; the message holds rendered diagnostics
  InvalidInput = 2,       ///< a file or an option the user gave is wrong
  InvalidArgument = 3,    ///< a plan or launch argument is wrong (stride, alignment, size, null)
  Unsupported = 4,        ///< right, but not on this target or with this backend
  MissingDependency = 5,  ///< no driver, no GPU, no NVRTC, too old a one
  CompileFailed = 6,      ///< NVRTC refused the source; the message holds its log
  DriverFailed = 7,       ///< a CUDA driver call failed
  CorruptData = 8,        ///< a cache entry or bundle is damaged
  IoFailed = 9,           ///< a file could not be read or written
  CaptureActive = 10,     ///< compiling was asked for while the stream is being captured
  VerificationFailed = 11 ///< outputs differ from the reference
};

/// Name of a code as it is printed and logged, such as "invalid-argument".
const char* errorCodeName(ErrorCode code);

/// A failure: its code, and a message that says what, where, the limit and the remedy.
struct Error {
  ErrorCode code = ErrorCode::Ok;
  std::string message;
};

/// Either a T or an Error. Test it before use; `*result` of a failed one is a bug in the caller.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}

  Result(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }

  T& operator*() & { return std::get<0>(state); }

  const T& operator*() const& { return std::get<0>(state); }

  T&& operator*() && { return std::get<0>(std::move(state)); }

  T* operator->() { return &std::get<0>(state); }

  const T* operator->() const { return &std::get<0>(state); }

  const Error& error() const { return std::get<1>(state); }

private:
  std::variant<T, Error> state;
};

/// Success without a value.
struct Unit {};

/// Outcome of an operation that yields nothing. `return Unit{};` on success.
using Status = Result<Unit>;

} // namespace mlac
