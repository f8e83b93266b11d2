import { expect, test } from "vitest";
import { RequestDurations } from "./request-durations.ts";

test("a bucket counts every observation up to its bound, by operation and status", () => {
  const durations = new RequestDurations();
  durations.observe("/v2/a", "OK", 0.001);
  durations.observe("/v2/a", "OK", 0.003);
  durations.observe("/v2/a", "OK", 60);
  durations.observe("/v2/a", "INTERNAL", 0.2);

  const lines = durations.text().split("\n");
  const name = "colloquy_request_duration_seconds";
  expect(lines).toContain(`${name}_bucket{operation="/v2/a",status="OK",le="0.001"} 1`);
  expect(lines).toContain(`${name}_bucket{operation="/v2/a",status="OK",le="0.0025"} 1`);
  expect(lines).toContain(`${name}_bucket{operation="/v2/a",status="OK",le="0.005"} 2`);
  expect(lines).toContain(`${name}_bucket{operation="/v2/a",status="OK",le="10"} 2`);
  expect(lines).toContain(`${name}_bucket{operation="/v2/a",status="OK",le="+Inf"} 3`);
  expect(lines).toContain(`${name}_sum{operation="/v2/a",status="OK"} 60.004`);
  expect(lines).toContain(`${name}_count{operation="/v2/a",status="INTERNAL"} 1`);
});
