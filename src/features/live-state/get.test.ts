import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService, type TestWorkspace } from "../../../test/harness.ts";

const GET = "/v2/livestate/get";
const service = await startTestService();

async function broadcastAll(workspace: TestWorkspace, ids: string[]): Promise<void> {
  for (const id of ids) {
    await workspace.data("/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: id, data: { id } });
  }
}

test("only the states asked for are returned, by ID; missing ones are left out", async () => {
  const workspace = await service.workspace();
  await broadcastAll(workspace, ["b", "c", "a"]);
  const read = async (liveStateDataIds?: string[]) =>
    (await workspace.data(GET, { ...SCOPE, liveStateDataIds })).map(({ data }) => data);
  expect(await read()).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
  expect(await read(["c", "missing", "a"])).toEqual([{ id: "a" }, { id: "c" }]);
  expect(await read(["missing"])).toEqual([]);
});

test("pages return each state once", async () => {
  const workspace = await service.workspace();
  const ids = ["a", "b", "c", "d", "e"];
  await broadcastAll(workspace, ids);
  const pages: string[][] = [];
  let pageToken: string | undefined;
  do {
    const page = await workspace.result(GET, { ...SCOPE, pageSize: 2, ...(pageToken && { pageToken }) });
    pages.push(page.data.map(({ liveStateDataId }) => liveStateDataId));
    pageToken = page.pageToken;
  } while (pageToken);
  expect(pages).toEqual([["a", "b"], ["c", "d"], ["e"]]);
});
