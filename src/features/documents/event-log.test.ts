import { expect, test } from "vitest";
import { startTestService } from "../../../test/harness.ts";
import { resourceNamed } from "../../../test/permissions.ts";
import { callWith, tokenFor } from "../../../test/user-tokens.ts";

const service = await startTestService();
const GET = "/v2/events/get";
const organizationId = "acme";

test("added and changed documents and organizations are events with the record as get returns it", async () => {
  const workspace = await service.workspace();
  const documents = [{ documentId: "d", documentName: "Draft" }];
  await workspace.data("/v2/organizations/add", { organizations: [{ organizationId }] });
  const { cursor } = await workspace.data(GET, { organizationId });
  await workspace.data("/v2/organizations/documents/add", { organizationId, documents });
  const changed = [{ documentId: "d", documentName: "Contract" }, { documentId: "missing" }];
  await workspace.data("/v2/organizations/documents/update", { organizationId, documents: changed });
  const organizations = [{ organizationId, organizationName: "Acme" }];
  await workspace.data("/v2/organizations/update", { organizations });
  const { events } = await workspace.data(GET, { organizationId, cursor });
  const [document] = await workspace.data("/v2/organizations/documents/get", { organizationId });
  const [organization] = await workspace.data("/v2/organizations/get", { organizationIds: [organizationId] });
  const ofDocument = { event: "document.update", documentId: "d", subject: { id: "d" }, record: document };
  expect(events).toMatchObject([
    ofDocument,
    ofDocument,
    { event: "organization.update", subject: { id: organizationId }, record: organization },
  ]);
  const token = await tokenFor(workspace, "ada", { resources: [resourceNamed("document d")] });
  const { body } = await callWith(token, `${service.address}${GET}`, { organizationId, documentId: "d", cursor });
  expect(Object(body).result.data.events).toMatchObject([ofDocument, ofDocument]);
});
