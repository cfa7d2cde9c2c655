// Result<T> inside the project: the public type, and the macro that passes an error on.
#pragma once

#include "mlac/Result.hpp"

#include <utility>

/// Evaluates `expr`; returns its error from the enclosing function, else declares `name` as its
/// value.
#define MLAC_TRY(name, expr)                                                                       \
  auto name##OrError = (expr);                                                                     \
  if (!name##OrError)                                                                              \
    return name##OrError.error();                                                                  \
  auto&& name = *name##OrError

/// Evaluates `expr` for its effect; returns its error from the enclosing function.
#define MLAC_CHECK(expr)                                                                           \
  do {                                                                                             \
    if (auto statusOrError = (expr); !statusOrError)                                               \
      return statusOrError.error();                                                                \
  } while (false)
