// DeviceBuffer: device memory that a tool owns.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace mlac {

/// Owns `bytes` bytes in a device's context. Every call needs that context to be current. Uploads,
/// downloads and fills are done when they return.
class DeviceBuffer {
public:
  /// An empty buffer: null, no bytes.
  DeviceBuffer() = default;

  /// DriverFailed where the GPU has not that much memory left; names both sizes.
  static Result<DeviceBuffer> allocate(const Device& device, std::size_t bytes);

  /// A buffer that holds `content`.
  static Result<DeviceBuffer> holding(const Device& device, std::span<const std::byte> content);

  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  ~DeviceBuffer();

  std::size_t size() const { return bytes; }

  /// Device address of the byte at `offsetBytes`; null for an empty buffer.
  std::byte* at(std::size_t offsetBytes = 0) const;

  /// Copies `content` to `offsetBytes`; both ends must lie inside.
  Status upload(std::span<const std::byte> content, std::size_t offsetBytes = 0);

  /// Copies the first `content.size()` bytes back.
  Status download(std::span<std::byte> content) const;

  /// Sets every byte.
  Status fill(std::byte value);

private:
  DeviceBuffer(const Device& device, unsigned long long address, std::size_t bytes);

  std::shared_ptr<const Device::Impl> device; ///< keeps the context alive; null when empty
  unsigned long long address = 0;
  std::size_t bytes = 0;
};

} // namespace mlac
