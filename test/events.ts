import type { Api } from "../src/operations.ts";
import { SCOPE } from "./factories.ts";
import type { TestService, TestWorkspace } from "./harness.ts";
import { callWith } from "./user-tokens.ts";

const GET = "/v2/events/get";
type Request = Api[typeof GET]["request"];
type EventsResponse = Api[typeof GET]["response"];

const IN_ACME = { organizationId: SCOPE.organizationId };

/** Reads events of the organization "acme". */
export function getEvents(workspace: TestWorkspace, request: Partial<Request> = {}): Promise<EventsResponse> {
  return workspace.data(GET, { ...IN_ACME, ...request });
}

/** Creates a workspace with the document of tests, so that the first record in it creates, and reports, no document. */
export async function workspaceWithDocument(service: Pick<TestService, "workspace">): Promise<TestWorkspace> {
  const workspace = await service.workspace();
  const documents = [{ documentId: SCOPE.documentId }];
  await workspace.data("/v2/organizations/documents/add", { ...IN_ACME, documents });
  return workspace;
}

/**
 * Returns a function that reads the kinds and subjects of the events since its last call, as the user of a token or as
 * the backend.
 */
export function eventReader(workspace: TestWorkspace, first: string, user?: { address: string; token: string }) {
  let cursor = first;
  return async () => {
    const request = { ...IN_ACME, cursor };
    const response = user
      ? Object((await callWith(user.token, `${user.address}${GET}`, request)).body).result.data
      : await getEvents(workspace, request);
    cursor = response.cursor;
    return response.events.map(({ event, subject }: EventsResponse["events"][number]) => [event, subject]);
  };
}
