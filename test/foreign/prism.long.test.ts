import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { endpoints, exampleIn, expectedSuccess, preparedWorkspace } from "../examples.ts";
import { activity, SCOPE } from "../factories.ts";
import { freePort } from "../free-port.ts";
import { startTestService } from "../harness.ts";

const PRISM = join(import.meta.dirname, "../../node_modules/@stoplight/prism-cli/dist/index.js");
const service = await startTestService();
const proxy = await startPrism(service.address);

/** Starts a proxy that checks requests and responses by the service's OpenAPI document. Returns its address. */
async function startPrism(address: string): Promise<string> {
  const port = await freePort();
  const args = [PRISM, "proxy", `${address}/openapi.json`, address, "--port", String(port)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  registerCleanup(async () => {
    if (child.kill("SIGKILL")) await once(child, "close");
  });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes("is listening")) {
      child.stdout.resume();
      return `http://127.0.0.1:${port}`;
    }
  }
  throw new Error(`Prism ended before it was ready:\n${output}`);
}

test.each(endpoints)("Prism finds no violation in the example of $path and its response", async (endpoint) => {
  const { path, operation, example } = endpoint;
  const workspace = await preparedWorkspace(service, path);
  const request = await exampleIn(workspace, path, example);
  const response = await workspace.at(proxy).call(path, request);
  expect(JSON.parse(response.headers.get("sl-violations") ?? "[]")).toEqual([]);
  expect(response).toMatchObject(expectedSuccess(operation));
});

test("Prism finds what the service rejects, and no violation in the response", async () => {
  const workspace = (await service.workspace()).at(proxy);
  const request = { organizationId: SCOPE.organizationId, activities: [activity()] };
  const { httpStatus, headers } = await workspace.call("/v2/activities/add", request);
  expect(httpStatus).toBe(400);
  const violations = JSON.parse(headers.get("sl-violations") ?? "[]");
  expect(violations).toMatchObject([
    { location: ["request", "body", "data"], message: expect.stringContaining("documentId") },
  ]);
});
