import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { getBlocks } from "../documentation/markdown.ts";
import { startTestService } from "../harness.ts";
import { compile } from "../packages/packed.ts";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const DOCUMENT = join(import.meta.dirname, "../../docs/openapi.md");
const service = await startTestService();

/** Returns a folder with the types that openapi-typescript writes, and the installed openapi-fetch. */
async function generateTypes(): Promise<string> {
  const folder = await mkdtemp(join(inject("runDirectory"), "openapi-client-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await mkdir(join(folder, "node_modules"));
  await symlink(dirname(resolve("openapi-fetch/package.json")), join(folder, "node_modules/openapi-fetch"));
  const generator = join(dirname(resolve("openapi-typescript/package.json")), "bin/cli.js");
  const output = join(folder, "schema.ts");
  await run(process.execPath, [generator, `${service.address}/openapi.json`, "--output", output]);
  return folder;
}

test("a client with the types of openapi-typescript calls the service, and mistakes do not compile", async () => {
  const blocks = getBlocks(await readFile(DOCUMENT, "utf8"));
  const program = blocks.find(({ info }) => info === "ts")?.code ?? "";
  const folder = await generateTypes();
  const mistakes = [
    ["targetEntityId", "targetEntity", /targetEntity.* does not exist/],
    ["/v2/activities/get", "/v2/activities/read", /\/v2\/activities\/read/],
    ['featureType: "custom"', 'featureType: "other"', /"other".* is not assignable/],
    ["{ actionUser, actionType }", "{ actionUser, action }", /action.* does not exist/],
  ] as const;
  const files = mistakes.map((_, index) => `mistake-${index}.ts`);
  for (const [index, [right, wrong]] of mistakes.entries()) {
    await writeFile(join(folder, files[index] ?? ""), program.replace(right, wrong));
  }
  const errors = (await compile(folder, program, "index.ts", files)).split(/\n(?=\S)/);
  expect(errors.filter((error) => !error.startsWith("mistake-"))).toEqual([]);
  for (const [index, [, , message]] of mistakes.entries()) {
    const ofFile = errors.filter((error) => error.startsWith(files[index] ?? "none"));
    expect(ofFile.join("\n")).toMatch(message);
  }

  const { apiKey, authToken } = await service.workspace();
  async function call(token: string): Promise<string> {
    const credentials = [
      ["http://127.0.0.1:8080", service.address],
      ["YOUR_API_KEY", apiKey],
      ["YOUR_AUTH_TOKEN", token],
    ] as const;
    const source = credentials.reduce((text, [placeholder, value]) => text.replace(placeholder, value), program);
    await writeFile(join(folder, "index.ts"), source);
    return (await run(process.execPath, ["index.ts"], { cwd: folder })).stdout;
  }
  expect(await call(authToken)).toBe("Ada Lovelace: clause.edit\n");
  await expect(call("wrong")).rejects.toThrow("PERMISSION_DENIED: ");
});
