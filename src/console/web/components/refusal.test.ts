import { expect, test } from "vitest";
import { assertAccessible } from "../../../features/tenancy/access.ts";
import { PageTokens } from "../../../http/page-token.ts";
import { disabledOrganization, isOfPageToken } from "./refusal.ts";

function messageOf(refused: () => unknown): string {
  try {
    refused();
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

test.each(["acme", 'a "b" \\ c', "x is disabled", "\u202E\n"])(
  "the message about disabled organization %j yields its ID",
  (id) => {
    expect(disabledOrganization(messageOf(() => assertAccessible("disabled", id)))).toBe(id);
    expect(disabledOrganization(messageOf(() => assertAccessible("deleted", id)))).toBeUndefined();
  },
);

test("the message about an invalid page token is recognized", () => {
  const scope = { workspaceId: "w", path: "/v2/x", request: {} };
  const tokens = new PageTokens(new Uint8Array(32));
  expect(isOfPageToken(messageOf(() => tokens.open(scope, "invalid")))).toBe(true);
  expect(isOfPageToken('Field "data.pageSize" must be <= 1000')).toBe(false);
});
