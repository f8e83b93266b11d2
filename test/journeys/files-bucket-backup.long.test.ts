import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { expect, test } from "vitest";
import { readFilesUrl } from "../../src/config/file-settings.ts";
import { S3Store } from "../../src/files/s3-store.ts";
import { emptyFolder, runCommand, runJsonCommand } from "../command-line.ts";
import { addCommentWith, BYTES, NEW_FILE, readFileUrl, sendRaw } from "../files.ts";
import { createTestDatabase, TestWorkspace } from "../harness.ts";
import { BUCKET_KEYS, startBucket } from "../s3-bucket.ts";
import { ServiceProcess } from "../service-process.ts";

const CREDENTIALS = { apiKey: "bootstrap-key", authToken: "bootstrap-token-0123456789" };
const url = await startBucket();

async function createPlace(prefix: string) {
  const { connectionString } = await createTestDatabase({ isBare: true });
  return {
    ...{ DATABASE_URL: connectionString, DATA_DIR: await emptyFolder(), SECRET_KEY: "5".repeat(64) },
    ...{ AWS_ACCESS_KEY_ID: BUCKET_KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: BUCKET_KEYS.secretAccessKey },
    ...{ BOOTSTRAP_API_KEY: CREDENTIALS.apiKey, BOOTSTRAP_AUTH_TOKEN: CREDENTIALS.authToken },
    FILES_URL: url.replace("kept here", prefix),
  };
}

async function start(place: Record<string, string>) {
  const service = new ServiceProcess(place);
  return { service, workspace: new TestWorkspace(await service.address(), { workspaceId: "", ...CREDENTIALS }) };
}

/** Copies all objects of a prefix to another one, as tools of a store do. */
async function sync(from: string, to: string): Promise<void> {
  const [source, target] = [readFilesUrl(from), readFilesUrl(to)];
  const store = new S3Store(source, BUCKET_KEYS);
  const client = new AwsClient({ ...BUCKET_KEYS, service: "s3", region: source.region });
  for await (const key of store.list()) {
    const read = await store.signDownload(key, "GET", { type: "text/plain", disposition: "inline" });
    const path = `${target.prefix}${key.organizationKey}/${key.fileId}`;
    const headers = { "content-type": "text/plain" };
    const body = await (await fetch(read)).arrayBuffer();
    const { ok } = await client.fetch(`${target.url}/${path}`, { method: "PUT", headers, body });
    expect(ok).toBe(true);
  }
}

test("a database that is restored beside a copy of the bucket has all files", async () => {
  const [from, to] = [await createPlace("from"), await createPlace("to")];
  const { service, workspace } = await start(from);
  const { fileId, upload } = await workspace.data("/v2/files/add", NEW_FILE);
  await sendRaw(upload.url, "PUT", upload.headers, BYTES);
  const annotationId = await addCommentWith(workspace, [{ fileId }]);
  await sync(from.FILES_URL, to.FILES_URL);
  const backup = join(await emptyFolder(), "backup");
  await runJsonCommand(["backup", backup], from);
  await sync(from.FILES_URL, to.FILES_URL);
  await service.terminate();
  await runJsonCommand(["restore", backup], to);
  const restored = await start(to);
  const read = await sendRaw(await readFileUrl(restored.workspace, annotationId), "GET");
  expect(read.headers.location).toMatch("/files/to/");
  expect((await sendRaw(String(read.headers.location), "GET")).body).toEqual(BYTES);
  const { stdout } = await runCommand(["files", "check"], to);
  expect(stdout).toBe("Bytes without a row: 0. Rows without bytes: 0.\n");
  await restored.service.terminate();
});
