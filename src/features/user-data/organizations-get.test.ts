import { expect, test } from "vitest";
import { addActivities } from "../../../test/factories.ts";
import { startTestService } from "../../../test/harness.ts";
import { readPages, setDisabled } from "../../../test/organizations.ts";
import { runSql } from "../../../test/run-sql.ts";
import { deleteUserDataAndWait } from "../../../test/user-data.ts";
import { organizationKey } from "../tenancy/organization-key.ts";

const PATH = "/v2/users/data/organizations/get";
const service = await startTestService();

test("every organization with data of the user is found, with or without a user record", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await workspace.data("/v2/users/add", { organizationId: "record", users: [{ userId: "ada" }] });
  await addActivities(workspace, ["a"], { organizationId: "activity" });
  await addActivities(workspace, [{ id: "a", actionUser: { userId: "bob" } }], { organizationId: "of bob" });
  await addActivities(workspace, ["a"], { organizationId: "being deleted" });
  await addActivities(other, ["a"], { organizationId: "foreign" });
  const place = { organizationId: "presence", documentId: "contract-7" };
  await workspace.data("/v2/presence/add", { ...place, users: [{ userId: "ada" }] });
  await setDisabled(workspace, true, "presence");
  await runSql(service.database, "update organizations set deleted_at = now() where organization_key = $1", [
    organizationKey(workspace.id, "being deleted"),
  ]);
  expect(await workspace.result(PATH, { userId: "ada" })).toEqual({
    status: "success",
    message: "Organizations retrieved.",
    data: ["activity", "presence", "record"],
  });
  expect(await workspace.data(PATH, { userId: "nobody" })).toEqual([]);
  await deleteUserDataAndWait(workspace, ["ada"]);
  expect(await workspace.data(PATH, { userId: "ada" })).toEqual([]);
});

test("each organization is returned once if there are more than a page examines", async () => {
  const workspace = await service.workspace();
  await runSql(
    service.database,
    `with organization as (
       insert into organizations (organization_key, workspace_id, organization_id)
       select gen_random_uuid(), $1, 'organization-' || lpad(number::text, 4, '0')
       from generate_series(1, 2500) as number returning organization_key, organization_id
     )
     insert into grants (organization_key, user_id, resource_type, resource_id, access_role, written_at)
     select organization_key, 'ada', 'document', 'contract-7', 'viewer', 1 from organization
     where organization_id like '%00'`,
    [workspace.id],
  );
  const pages = await readPages(workspace, PATH, { userId: "ada" });
  expect(pages).toHaveLength(3);
  expect(pages.flat()).toHaveLength(25);
  expect(new Set(pages.flat()).size).toBe(25);
});
