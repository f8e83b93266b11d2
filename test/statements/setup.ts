import { afterAll } from "vitest";
import { findRejected } from "./recorder.ts";

afterAll(async () => {
  const rejected = await findRejected();
  if (rejected.length > 0) throw new Error(rejected.join("\n\n"));
});
