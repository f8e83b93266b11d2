import { request } from "node:http";
import { expect, test } from "vitest";
import { BYTES, NEW_FILE } from "../../../test/files.ts";
import { startOwnTestService } from "../../../test/harness.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";
import { organizationKey } from "../tenancy/organization-key.ts";
import { lockAdds } from "./file-queries.ts";

const ADD = "/v2/files/add";

test("a user, an organization and a workspace may have files of so many bytes, of some types", async () => {
  const sizes = { maxBytes: 100, maxBytesOfUser: 30, maxBytesOfOrganization: 50, maxBytesOfWorkspace: 70 };
  const limits = { ...sizes, types: ["text/*"] };
  const limited = await startOwnTestService(() => ({ fileLimits: limits }));
  const own = await limited.publicWorkspace();
  await own.data("/v2/files/add", NEW_FILE);
  const ada = await tokenFor(own, "ada");
  const add = (file: object = {}) => callWith(ada, `${limited.address}${ADD}`, { ...NEW_FILE, ...file });
  expect(await add({ contentType: "image/png" })).toMatchObject({ httpStatus: 400 });
  expect((await add({ contentType: "Text/Plain; charset=utf-8" })).httpStatus).toBe(200);
  expect((await add()).body).toMatchObject({ error: { details: { limit: "user_files" } } });
  expect(await own.error(ADD, NEW_FILE)).toMatchObject({ details: { limit: "organization_files" } });
  const elsewhere = { ...NEW_FILE, organizationId: "initech" };
  await own.data(ADD, elsewhere);
  expect(await own.error(ADD, elsewhere)).toMatchObject({ details: { limit: "workspace_files" } });
  await (await limited.publicWorkspace()).data(ADD, elsewhere);
});

test("files that are added at once do not exceed the limit of a user, organization or workspace", async () => {
  const size = BYTES.length;
  const sizes = { maxBytes: size, maxBytesOfUser: 3 * size, maxBytesOfOrganization: 5 * size };
  const limits = { ...sizes, maxBytesOfWorkspace: 9 * size, types: ["*/*"] };
  const limited = await startOwnTestService(() => ({ fileLimits: limits }));
  const own = await limited.publicWorkspace();
  const addAll = async (add: (index: number) => Promise<{ httpStatus: number }>) => {
    const added = await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)));
    return added.filter(({ httpStatus }) => httpStatus === 200).length;
  };
  await own.data(ADD, NEW_FILE);
  const ada = await tokenFor(own, "ada");
  expect(await addAll(() => callWith(ada, `${limited.address}${ADD}`, NEW_FILE))).toBe(3);
  expect(await addAll(() => own.call(ADD, NEW_FILE))).toBe(1);
  const inOthers = (index: number) => own.call(ADD, { ...NEW_FILE, organizationId: `initech-${index}` });
  expect(await addAll(inOthers)).toBe(4);
});

test("an organization and a user do not wait for the adds of others", async () => {
  const limits = { maxBytes: 100, maxBytesOfUser: 100, maxBytesOfOrganization: 100, maxBytesOfWorkspace: 0 };
  const limited = await startOwnTestService(() => ({ fileLimits: { ...limits, types: ["*/*"] } }));
  const own = await limited.publicWorkspace();
  await own.data(ADD, NEW_FILE);
  const ada = await tokenFor(own, "ada");
  const finished: string[] = [];
  const add = (name: string, adding: Promise<unknown>) => adding.then(() => finished.push(name));
  const callAs = (token: string) => callWith(token, `${limited.address}${ADD}`, NEW_FILE);
  const waiting = await limited.database.transaction(async (transaction) => {
    await lockAdds(transaction, `${organizationKey(own.id, "acme")} ada`);
    const waiting = [add("ada", callAs(ada))];
    await add("grace", callAs(await tokenFor(own, "grace")));
    await lockAdds(transaction, organizationKey(own.id, "acme"));
    waiting.push(add("acme", own.data(ADD, NEW_FILE)));
    await add("initech", own.data(ADD, { ...NEW_FILE, organizationId: "initech" }));
    return waiting;
  });
  expect(finished).toEqual(["grace", "initech"]);
  await Promise.all(waiting);
});

test("an upload that makes no progress ends, and can be sent again", async () => {
  const slow = await startOwnTestService(({ limits }) => ({
    limits: { ...limits, uploads: { ...limits.uploads, stalledMs: 1, checkIntervalMs: 1 } },
  }));
  const own = await slow.publicWorkspace();
  const { upload } = await own.data(ADD, NEW_FILE);
  const status = await new Promise((resolve) => {
    const headers = { ...upload.headers, "content-length": NEW_FILE.size };
    const sent = request(upload.url, { method: "PUT", headers }, (response) => resolve(response.statusCode));
    sent.write(BYTES.subarray(0, 5));
  });
  expect(status).toBe(408);
});
