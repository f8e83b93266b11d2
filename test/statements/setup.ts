import { afterAll } from "vitest";
import { findRefused } from "./recorder.ts";

afterAll(async () => {
  const refused = await findRefused();
  if (refused.length > 0) throw new Error(refused.join("\n\n"));
});
