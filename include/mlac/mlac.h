/* mlac's C interface: load a bundle's kernels, plan, launch. C99; what Python's ctypes and other
 * languages call.
 *
 * Every function returns a code (0: success; the numbers of mlac::ErrorCode); mlac_last_error()
 * gives the calling thread's last failure in words. Structs begin with struct_bytes: set it to
 * sizeof the struct and zero the rest, and a newer library goes on working with it. Device memory
 * is the caller's throughout. Any thread may call anything. A family must outlive its plans'
 * launches only in the sense that a plan keeps it alive itself.
 */
#ifndef MLAC_MLAC_H
#define MLAC_MLAC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names are C's. NOLINTBEGIN(readability-identifier-naming) */
#define MLAC_API __attribute__((visibility("default")))

enum {
  MLAC_OK = 0,
  MLAC_INVALID_SPEC = 1,
  MLAC_INVALID_INPUT = 2,
  MLAC_INVALID_ARGUMENT = 3,
  MLAC_UNSUPPORTED = 4,
  MLAC_MISSING_DEPENDENCY = 5,
  MLAC_COMPILE_FAILED = 6,
  MLAC_DRIVER_FAILED = 7,
  MLAC_CORRUPT_DATA = 8,
  MLAC_IO_FAILED = 9,
  MLAC_CAPTURE_ACTIVE = 10,
  MLAC_VERIFICATION_FAILED = 11
};

typedef struct mlac_bundle mlac_bundle;
typedef struct mlac_family mlac_family;
typedef struct mlac_plan mlac_plan;

/* Device tensor [tokens, heads, dims]; strides count elements, the innermost is 1, 0 means
 * contiguous. */
typedef struct mlac_tensor {
  void* data;
  int64_t token_stride;
  int64_t head_stride;
} mlac_tensor;

/* As mlac_tensor, only read. */
typedef struct mlac_const_tensor {
  const void* data;
  int64_t token_stride;
  int64_t head_stride;
} mlac_const_tensor;

/* Device tensor [parts, tokens, heads, dims], only read; strides as above. */
typedef struct mlac_part_tensor {
  const void* data;
  int64_t part_stride;
  int64_t token_stride;
  int64_t head_stride;
} mlac_part_tensor;

/* Device table of i32 rows; stride counts elements, 0 means columns. */
typedef struct mlac_table {
  const int32_t* data;
  int64_t columns;
  int64_t stride;
} mlac_table;

/* Dimensions of a loaded variant. */
typedef struct mlac_variant_info {
  uint64_t struct_bytes;
  int32_t heads;
  int32_t qk_dims;
  int32_t value_dims;
  int32_t page;
  int32_t topk;         /* 0 unless top-k */
  int32_t record_bytes; /* of one token in the cache */
  int32_t logical;      /* 1: needs block_table and seq_lens */
  int32_t has_lse;
  int32_t has_max_logit;
  int32_t has_convert;
  int32_t scale_is_fixed;
  float scale; /* where it is fixed */
  int32_t has_merge;
  int32_t has_sink;
} mlac_variant_info;

/* The value of a `param` of the spec that has no default. */
typedef struct mlac_param {
  const char* name;
  double value;     /* of one number; any i32 or finite f32 */
  const void* data; /* of a number per head or token: i32 or f32 [H] or [T] */
} mlac_param;

/* Arguments of a launch; see docs/embedding.md. All pointers are device pointers. */
typedef struct mlac_launch_args {
  uint64_t struct_bytes;
  mlac_const_tensor q;        /* [T, H, latent + rope]; or the two below */
  mlac_const_tensor q_latent; /* [T, H, latent] */
  mlac_const_tensor q_rope;   /* [T, H, rope] */
  const void* cache;          /* 16-byte aligned */
  int64_t slots;
  int64_t page_stride_bytes;  /* 0: pages lie end to end */
  int64_t token_stride_bytes; /* 0: records lie end to end */
  mlac_table block_table;     /* [R, max pages] */
  const int32_t* query_start; /* [R + 1] or null */
  const int32_t* token_request;
  const int32_t* seq_lens; /* [R] */
  const int32_t* key_end;  /* [T] or null */
  mlac_table indices;      /* [T, K] */
  const int32_t* topk_length;
  const float* scale_device; /* for `scale runtime`: this, or has_scale and scale */
  int32_t has_scale;
  float scale;
  mlac_tensor out;       /* [T, H, value dims]; pointer and strides multiples of 4 elements */
  mlac_tensor lse;       /* [T, H] f32 */
  mlac_tensor max_logit; /* [T, H] f32 */
  void* workspace;       /* 256-byte aligned */
  uint64_t workspace_bytes;
  const void* schedule;     /* of a balanced plan: what mlac_schedule wrote */
  const mlac_param* params; /* all parameters without a default, in any order */
  uint64_t param_count;     /* at most 32 */
  const float* sinks;       /* [H], where the spec has `sink per head` */
} mlac_launch_args;

/* What a balanced batch is cut by; as in mlac_launch_args. */
typedef struct mlac_schedule_args {
  uint64_t struct_bytes;
  const int32_t* query_start;
  const int32_t* token_request;
  const int32_t* seq_lens;
  const int32_t* key_end;
  const int32_t* topk_length; /* top-k only; the others not for top-k */
  void* schedule;             /* 16-byte aligned */
  uint64_t schedule_bytes;    /* at least mlac_plan_schedule_bytes */
} mlac_schedule_args;

/* Arguments of the conversion of request-local indices to slots. */
typedef struct mlac_convert_args {
  uint64_t struct_bytes;
  int64_t tokens;
  int64_t requests;
  mlac_table indices;
  const int32_t* topk_length;
  mlac_table block_table;
  const int32_t* query_start;
  const int32_t* token_request;
  const int32_t* seq_lens;
  const int32_t* key_end;
  int64_t slots;
  int64_t slots_per_block; /* 0: the page size */
  int32_t* slots_out;      /* [T, K] i32, -1 where there is no key */
  int64_t slots_out_stride;
  int32_t* valid_counts; /* [T] or null */
} mlac_convert_args;

/* Arguments of a merge: results of the same rows over different keys, each written by a launch of
 * its own. Parts whose LSE is an infinity of either sign have no key and count for nothing. The
 * results may take the place of part 0: the same pointer, strides and type. */
typedef struct mlac_merge_args {
  uint64_t struct_bytes;
  int64_t tokens;
  int64_t parts;                   /* 1 to 2^20 */
  mlac_part_tensor part_out;       /* [N, T, H, value dims]; multiples of 4 elements */
  mlac_part_tensor part_lse;       /* [N, T, H] f32, in the base the spec names */
  mlac_part_tensor part_max_logit; /* [N, T, H] f32 or null */
  const float* sinks;              /* [H] or null: joins each denominator, no LSE */
  mlac_tensor out;                 /* [T, H, value dims]; multiples of 4 elements */
  mlac_tensor lse;                 /* [T, H] f32 or null */
  mlac_tensor max_logit;           /* [T, H] f32, with part_max_logit */
  int32_t f32_parts;               /* 1: part_out is f32; 0: as the spec's output */
} mlac_merge_args;

/* "0.1.0"; never freed. */
MLAC_API const char* mlac_version(void);

/* The calling thread's last failure; empty if there was none. Valid until the thread's next call.
 */
MLAC_API const char* mlac_last_error(void);

/* Name of a code, such as "invalid-argument". */
MLAC_API const char* mlac_error_name(int32_t code);

/* Opens a directory made by `mlac pack`. */
MLAC_API int32_t mlac_bundle_open(const char* path, mlac_bundle** bundle);
MLAC_API void mlac_bundle_close(mlac_bundle* bundle);
MLAC_API int32_t mlac_bundle_count(const mlac_bundle* bundle);

/* Name of one of its variants, by index; null if there is none. Valid as long as the bundle is
 * open. */
MLAC_API const char* mlac_bundle_name(const mlac_bundle* bundle, int32_t index);

/* Loads a variant into the CUDA context that is current in this thread. A null name means the only
 * one. */
MLAC_API int32_t mlac_family_load(const mlac_bundle* bundle,
                                  const char* name,
                                  mlac_family** family);
MLAC_API void mlac_family_free(mlac_family* family);
MLAC_API int32_t mlac_family_variant(const mlac_family* family, mlac_variant_info* info);

/* Chooses kernel and splits. Never compiles. The plan keeps the family's kernels alive. */
MLAC_API int32_t mlac_plan_create(const mlac_family* family,
                                  int64_t tokens,
                                  int64_t requests,
                                  int64_t max_seq_len,
                                  mlac_plan** plan);

/* The same for rows of different lengths: the batch is cut, not each row. mlac_schedule must run
 * once a step before its launches. */
MLAC_API int32_t mlac_plan_create_balanced(const mlac_family* family,
                                           int64_t tokens,
                                           int64_t requests,
                                           int64_t max_seq_len,
                                           mlac_plan** plan);
MLAC_API void mlac_plan_free(mlac_plan* plan);
MLAC_API uint64_t mlac_plan_workspace_bytes(const mlac_plan* plan);
MLAC_API uint64_t mlac_plan_schedule_bytes(const mlac_plan* plan); /* 0 unless balanced */
MLAC_API int32_t mlac_plan_splits(const mlac_plan* plan);

/* Checks the arguments and enqueues on `stream` (a CUstream; null: the default stream). Allocates
 * nothing, waits for nothing: may be captured. */
MLAC_API int32_t mlac_launch(const mlac_plan* plan, const mlac_launch_args* args, void* stream);

/* Enqueues the schedule that the launches behind it read, for all layers of a step. */
MLAC_API int32_t mlac_schedule(const mlac_plan* plan, const mlac_schedule_args* args, void* stream);
MLAC_API int32_t mlac_convert(const mlac_family* family,
                              const mlac_convert_args* args,
                              void* stream);
MLAC_API int32_t mlac_merge(const mlac_family* family, const mlac_merge_args* args, void* stream);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif
