import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { readProjectFile, readUnit, readYaml } from "./deploy-files.ts";
import {
  DEFAULT_PORT,
  type Environment,
  expectConfiguration,
  findInstructions,
  getEnvironment,
  imageEnvironment,
  STOP_SECONDS,
  stages,
} from "./deploy-image.ts";
import { startTestService } from "./harness.ts";

/** Values for what a user has to fill in. */
const FILLED_IN = { POSTGRES_PASSWORD: "b".repeat(64), SECRET_KEY: "a".repeat(64) };
const service = await startTestService();

function exists(path: string): boolean {
  return existsSync(join(import.meta.dirname, "..", path));
}

const find = findInstructions;

test("the Dockerfile has no error, and pins the version of each base image", () => {
  expect(validate(readProjectFile("deploy/Dockerfile"))).toEqual([]);
  const names = stages.map(([from]) => from?.words.at(-1));
  const bases = stages.flatMap(([from]) => from?.words[0] ?? []).filter((base) => !names.includes(base));
  expect(bases[0]).toMatch(`node:${packageJson.dependencies.node.replace(/^\^(\d+).*$/, "$1")}-`);
  for (const base of bases) expect(base).toMatch(/^(scratch|[a-z./]+(-debian\d+)?:[a-z\d-]+)$/);
});

test("only stages of the builder's platform run commands, so that other platforms need no emulator", () => {
  const [, ...texts] = readProjectFile("deploy/Dockerfile").split(/^FROM /m);
  for (const text of texts) expect(/^RUN /m.test(text), text).toBe(text.startsWith("--platform=$BUILDPLATFORM "));
});

test("nothing that Git ignores gets into the image", () => {
  const ignored = readProjectFile(".gitignore").trim().split("\n");
  const left = readProjectFile("deploy/Dockerfile.dockerignore").split("\n");
  expect(left).toContain(".git");
  for (const name of ignored)
    expect(left, name).toContain(/^[.*]/.test(name) ? `**/${name}` : name.replace(/^\/|\/$/g, ""));
});

test("the image starts the service as an unprivileged user on the port of the README", () => {
  const command = [...find("ENTRYPOINT"), ...find("CMD")].flatMap(({ list }) => list);
  expect(command.join(" ")).toBe("colloquy start");
  expect(imageEnvironment.PATH?.split(":")[0]).toBe("/app/bin");
  // The base image has a name for this user, which PostgreSQL needs.
  expect(find("USER").map(({ words }) => words[0])).toEqual(["65532:65532"]);
  expect(find("EXPOSE").map(({ words }) => words)).toEqual([[String(DEFAULT_PORT)]]);
  expect(find("VOLUME").map(({ words }) => words)).toEqual([[imageEnvironment.DATA_DIR]]);
  expectConfiguration(imageEnvironment);
  expect(imageEnvironment.HOST).toBe("0.0.0.0");
});

test("the image has the labels of OCI, with the version and commit that a release gives to its build", () => {
  const labels = find("LABEL").flatMap(({ words }) => words);
  const workflow = readProjectFile(".github/workflows/release.yml");
  for (const [label, name] of Object.entries({ version: "VERSION", revision: "REVISION", source: "SOURCE" })) {
    expect(find("ARG").map(({ words }) => words[0])).toContain(name);
    expect(labels).toContain(`org.opencontainers.image.${label}="$${name}"`);
    expect(workflow).toContain(`--build-arg ${name}=`);
  }
});

test("the health check of the image passes while the service responds, and fails when it does not", async () => {
  const [, ...args] = find("HEALTHCHECK")[0]?.list ?? [];
  const check = async (port: string) => {
    const [code] = await once(spawn(process.execPath, args, { env: { PORT: port } }), "close");
    return code;
  };
  expect(await check(new URL(service.address).port)).toBe(0);
  expect(await check("1")).toBe(1);
});

interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, null>;
}

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  environment: Environment;
  profiles?: string[];
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as Compose does. */
function interpolated(text: string, given: Environment): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name, fallback = "") => given[name] ?? fallback);
}

test("compose.yaml starts the service with its own database, or on Citus by a profile", () => {
  const { services, volumes } = readYaml<Compose>("deploy/compose.yaml");
  const names = Object.keys(services);
  for (const [name, { environment, depends_on = {}, volumes: mounts = [], profiles = [] }] of Object.entries(
    services,
  )) {
    const filled = Object.entries(environment).map(([key, value]) => [key, interpolated(value, FILLED_IN)]);
    expectConfiguration(Object.fromEntries(filled));
    expect(
      Object.keys(depends_on).filter((other) => !names.includes(other)),
      name,
    ).toEqual([]);
    for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(":")[0]);
    for (const other of Object.keys(depends_on)) expect(services[other]?.profiles ?? [], other).toEqual(profiles);
    const urls = filled.flatMap(([key, value = ""]) => (key === "DATABASE_URL" ? [new URL(value)] : []));
    for (const host of urls.flatMap(({ hostname }) => hostname.split(","))) {
      expect(names).toContain(host);
      expect(services[host]?.environment).toMatchObject({ POSTGRES_USER: "colloquy", POSTGRES_DB: "colloquy" });
    }
  }
  expect(names.filter((name) => !services[name]?.profiles)).toEqual(["colloquy", "postgres"]);
});

test("compose.yaml runs the image read-only, without capabilities, and lets it stop", () => {
  const { services } = readYaml<Compose>("deploy/compose.yaml");
  const own = Object.values(services).filter(({ image: name }) => name === "colloquy");
  // Each has data of its own.
  expect(own.map(({ volumes }) => volumes)).toEqual(
    ["data", "data-on-citus"].map((volume) => [`${volume}:${imageEnvironment.DATA_DIR}`]),
  );
  for (const { build, ports, read_only, cap_drop, stop_grace_period } of own) {
    expect(exists(posix.join("deploy", build?.context ?? "-", build?.dockerfile ?? "-"))).toBe(true);
    expect(ports).toEqual([expect.stringMatching(`^127\\.0\\.0\\.1:\\d+:${DEFAULT_PORT}$`)]);
    expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ["ALL"] });
    expect(Number.parseInt(stop_grace_period ?? "", 10)).toBeGreaterThan(STOP_SECONDS);
  }
});

test("no two services of compose.yaml have the same port, and each has its own address", () => {
  const addresses = Object.values(readYaml<Compose>("deploy/compose.yaml").services).flatMap(
    ({ ports = [], environment: { PUBLIC_URL = "" } }) =>
      ports.map((port) => ({ port: port.split(":")[1], publicUrl: interpolated(PUBLIC_URL, FILLED_IN) })),
  );
  expect(addresses.map(({ publicUrl }) => publicUrl)).toEqual(addresses.map(({ port }) => `http://127.0.0.1:${port}`));
  expect(new Set(addresses.map(({ port }) => port)).size).toBe(addresses.length);
});

test("the systemd unit starts the service as the documentation says, and lets it stop", () => {
  const { Service = {} } = readUnit("deploy/colloquy.service");
  expect(Service.ExecStart).toEqual([`${Service.WorkingDirectory}/colloquy start`]);
  expect(readProjectFile("docs/operating.md")).toContain(`ExecStart=${Service.ExecStart}`);
  const environment = getEnvironment(Service.Environment ?? []);
  expectConfiguration(environment);
  // The file system is read-only, except this folder.
  expect(Service.ProtectSystem).toEqual(["strict"]);
  expect(environment.DATA_DIR).toBe(`/var/lib/${Service.StateDirectory}`);
  expect(Number(Service.TimeoutStopSec)).toBeGreaterThan(STOP_SECONDS);
  for (const path of [Service.WorkingDirectory, Service.EnvironmentFile, [environment.DATA_DIR]]) {
    expect(readProjectFile("deploy/README.md")).toContain(String(path).replace(/^-/, ""));
  }
});
