import { ExportResultCode } from "@opentelemetry/core";
import pino from "pino";
import { expect, test } from "vitest";
import { FailedExports } from "./failed-exports.ts";

test("the log says when exports begin to fail and when they succeed again, not at each attempt", () => {
  const lines: string[] = [];
  const failedExports = new FailedExports(
    pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) }),
  );
  const results: number[] = [];
  const record = failedExports.recorded(({ code }) => results.push(code));
  const error = { code: ExportResultCode.FAILED, error: new Error("refused") };
  for (const result of [{ code: ExportResultCode.SUCCESS }, error, error, { code: ExportResultCode.SUCCESS }]) {
    record(result);
  }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 40, reason: "refused", msg: "traces and metrics do not reach the collector" },
    { level: 30, msg: "traces and metrics reach the collector again" },
  ]);
  expect(results).toHaveLength(4);
});
