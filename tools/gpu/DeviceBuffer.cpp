#include "tools/gpu/DeviceBuffer.h"

#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Device.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>
#include <utility>

namespace mlac {

Result<DeviceBuffer> DeviceBuffer::allocate(const Device& device, std::size_t bytes) {
  if (bytes == 0)
    return DeviceBuffer();
  const DriverApi& api = *device.get().api;
  CUdeviceptr address = 0;
  if (auto status = cudaStatus(api, api.cuMemAlloc(&address, bytes), "cuMemAlloc"); !status) {
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
    MLAC_CUDA(api, cuMemGetInfo, &freeBytes, &totalBytes);
    return Error{status.error().code,
                 fmt::format("{} bytes of device memory were asked for, {} of {} are free: {}",
                             bytes,
                             freeBytes,
                             totalBytes,
                             status.error().message)};
  }
  return DeviceBuffer(device, address, bytes);
}

Result<DeviceBuffer> DeviceBuffer::holding(const Device& device,
                                           std::span<const std::byte> content) {
  MLAC_TRY(buffer, allocate(device, content.size()));
  MLAC_CHECK(buffer.upload(content));
  return std::move(buffer);
}

DeviceBuffer::DeviceBuffer(const Device& device, unsigned long long address, std::size_t bytes)
    : device(device.share()), address(address), bytes(bytes) {}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : device(std::exchange(other.device, nullptr)), address(std::exchange(other.address, 0)),
      bytes(std::exchange(other.bytes, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(device, other.device);
  std::swap(address, other.address);
  std::swap(bytes, other.bytes);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (device)
    device->api->cuMemFree(address);
}

std::byte* DeviceBuffer::at(std::size_t offsetBytes) const {
  return device ? std::bit_cast<std::byte*>(address + offsetBytes) : nullptr;
}

Status DeviceBuffer::upload(std::span<const std::byte> content, std::size_t offsetBytes) {
  assert(offsetBytes + content.size() <= bytes);
  if (content.empty())
    return Unit{};
  MLAC_CUDA(*device->api, cuMemcpyHtoD, address + offsetBytes, content.data(), content.size());
  return Unit{};
}

Status DeviceBuffer::download(std::span<std::byte> content) const {
  assert(content.size() <= bytes);
  if (content.empty())
    return Unit{};
  MLAC_CUDA(*device->api, cuMemcpyDtoH, content.data(), address, content.size());
  return Unit{};
}

Status DeviceBuffer::fill(std::byte value) {
  if (bytes == 0)
    return Unit{};
  MLAC_CUDA(*device->api, cuMemsetD8, address, std::to_integer<unsigned char>(value), bytes);
  return Unit{};
}

} // namespace mlac
