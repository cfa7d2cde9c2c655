#include "SampleReport.h"

namespace mlac::test {
namespace {

BenchCase sampleCase(int batch, double floorUs, double oursUs, double predictedUs) {
  BenchCase one;
  one.batch = one.tokens = batch;
  one.inputSets = 3;
  one.keyBytes = 2'000'000LL * batch;
  one.flops = 10.0 * static_cast<double>(one.keyBytes);
  one.floor = BenchFloor{{floorUs, floorUs, floorUs}, 8, 1000};
  BenchRow ours = timedRow("mlac", oursUs);
  ours.isOurs = true;
  ours.predictedUs = predictedUs;
  ours.splits = 2;
  ours.config = "sample_few";
  one.rows.push_back(ours);
  return one;
}

} // namespace

BenchRow timedRow(const std::string& contestant, double us) {
  BenchRow row;
  row.contestant = contestant;
  row.timing = Timing{us, us, us};
  return row;
}

BenchReport sampleReport() {
  BenchReport report;
  report.device = "Some GPU, big";
  report.target = "sm_90";
  report.attention = "sample";
  report.heads = 8;
  report.topk = 2048;
  report.context = 4096;
  report.queries = 1;
  report.seed = 7;
  report.iterations = 20;
  report.cases = {sampleCase(1, 2, 4, 5), sampleCase(10, 20, 25, 30)};
  report.cases[0].rows.push_back(timedRow("peer", 8));
  BenchRow missing;
  missing.contestant = "peer";
  missing.problem = "RuntimeError: no such size";
  report.cases[1].rows.push_back(missing);
  return report;
}

} // namespace mlac::test
