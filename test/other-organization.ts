import { expect } from "vitest";
import { TestWorkspace } from "./harness.ts";
import { callWith } from "./user-tokens.ts";

const ELSEWHERE = { organizationId: "globex", documentId: "plan" };
const FIRST_COMMENT = { commentText: "Within thirty days." };

/**
 * Writes a comment in another organization than that of a page, and expects that the token which the page gets from its
 * backend neither reads nor writes there. `address` is that of the page.
 */
export async function expectClosedElsewhere(
  address: string,
  credentials: { apiKey: string; authToken: string },
): Promise<void> {
  const read = async (path: string) => (await fetch(new URL(path, address))).text();
  await expectTokenClosedElsewhere(await read("/service"), await read("/token?user=ada"), credentials);
}

/** Does the same with the token of a page. `url` is that of the service. */
export async function expectTokenClosedElsewhere(
  url: string,
  token: string,
  credentials: { apiKey: string; authToken: string },
): Promise<void> {
  const workspace = new TestWorkspace(url, { workspaceId: "", ...credentials });
  await workspace.data("/v2/commentannotations/add", {
    ...ELSEWHERE,
    commentAnnotations: [{ commentData: [{ ...FIRST_COMMENT, from: { userId: "grace" } }] }],
  });
  for (const [path, request] of [
    ["/v2/commentannotations/get", ELSEWHERE],
    ["/v2/activities/get", ELSEWHERE],
    ["/v2/commentannotations/add", { ...ELSEWHERE, commentAnnotations: [{ commentData: [FIRST_COMMENT] }] }],
  ] as const) {
    const { body } = await callWith(token, url + path, request);
    expect(body, path).toMatchObject({ error: { details: { reason: "access_denied" } } });
  }
}
