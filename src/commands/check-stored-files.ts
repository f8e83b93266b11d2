import { selectStoredFiles } from "../features/files/stored-file-queries.ts";
import type { CrossTenantScope } from "../features/tenancy/organization-scope.ts";
import type { Check } from "./check.ts";

const MB = 1e6;

/** Reports how many files the service knows. */
export async function checkStoredFiles(scope: CrossTenantScope): Promise<Check> {
  const states = (await selectStoredFiles(scope)).map(({ state, count, bytes }) => {
    return `${count.toLocaleString("en")} ${state} (${(bytes / MB).toFixed(1)} MB)`;
  });
  return { name: "stored files", status: "ok", finding: `Files: ${states.join(", ") || "none"}.` };
}
