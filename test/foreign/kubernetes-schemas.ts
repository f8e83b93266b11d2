import { execFile } from "node:child_process";
import { mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import type { KubernetesObject } from "./helm.ts";

const MODULES = join(import.meta.dirname, "../../node_modules");
const run = promisify(execFile);

/** Returns the package that has the schemas of a version of an API. */
function getModule(apiVersion: string): string {
  const prefix = apiVersion.startsWith("monitoring.coreos.com/")
    ? "@kubernetes-models/prometheus-operator"
    : "kubernetes-models";
  return `${prefix}/${apiVersion}`;
}

/** Returns what the schemas and types of Kubernetes and of the Prometheus operator reject in the objects. */
export async function findObjectErrors(objects: readonly KubernetesObject[]): Promise<string[]> {
  const invalid = await Promise.all(objects.map(findSchemaErrors));
  return [...invalid.flat(), ...(await findTypeErrors(objects))];
}

async function findSchemaErrors(object: KubernetesObject): Promise<string[]> {
  const { [object.kind]: Class } = await import(getModule(object.apiVersion));
  try {
    new Class(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind}: ${error}`];
  }
}

/** The schemas allow unknown fields. TypeScript rejects them in a literal, so it compiles each object as one. */
async function findTypeErrors(objects: readonly KubernetesObject[]): Promise<string[]> {
  const folder = await mkdtemp(join(inject("runDirectory"), "objects-"));
  await symlink(MODULES, join(folder, "node_modules"));
  const sources = objects.map((object, index) => {
    const type = `import("${getModule(object.apiVersion)}").I${object.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(object, null, 2)};`;
  });
  await writeFile(join(folder, "objects.ts"), sources.join("\n"));
  const options = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--skipLibCheck",
    "--ignoreConfig",
    "--pretty",
    "false",
  ];
  const { stdout } = await run(join(MODULES, ".bin/tsc"), [...options, "objects.ts"], { cwd: folder }).catch(Object);
  return String(stdout).split("\n").filter(Boolean);
}
