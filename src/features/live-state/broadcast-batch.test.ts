import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";

const BROADCAST = "/v2/livestate/broadcast";
const service = await startTestService();

test("a state that is broadcast for the first time beside one that exists is kept", async () => {
  const workspace = await service.workspace();
  const broadcast = (liveStateDataId: string, at: string) =>
    workspace.data(BROADCAST, { ...SCOPE, liveStateDataId, data: { at } });
  await broadcast("known", "first");
  const ids = ["known", ...Array.from({ length: 8 }, (_, index) => `new-${index}`)];
  const responses = await Promise.all(ids.map((id) => broadcast(id, id)));
  expect(responses).toEqual(ids.map(() => ({ success: true })));
  const states = await workspace.data("/v2/livestate/get", SCOPE);
  expect(states.map(({ liveStateDataId, data }) => [liveStateDataId, data])).toEqual(ids.map((id) => [id, { at: id }]));
});
