import { expect, test } from "vitest";
import { SCOPE } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { openOrganization } from "../tenancy/organization-scope.ts";
import { replaceLiveState } from "./live-state-queries.ts";

const service = await startTestService();

test("a state that exists says nothing of a missing one that is broadcast at the same moment", async () => {
  const workspace = await service.workspace();
  await workspace.data("/v2/livestate/broadcast", { ...SCOPE, liveStateDataId: "known", data: {} });
  const scope = openOrganization(service.database, workspace, SCOPE.organizationId);
  // Calls of one iteration of the event loop share a batch.
  const replace = (liveStateDataId: string) =>
    replaceLiveState(scope, { documentId: SCOPE.documentId, liveStateDataId, record: "{}" });
  expect(await Promise.all([replace("known"), replace("missing")])).toEqual([true, false]);
});
