import type { JWTPayload } from "jose";
import { expect, test } from "vitest";
import {
  mergeTokenIssuerConfig,
  readTokenIssuerConfig,
  type TokenIssuerConfigUpdate,
} from "../token-issuer-config/token-issuer-config.ts";
import { getClaimedUser } from "./claims.ts";

function read(payload: JWTPayload, changes: TokenIssuerConfigUpdate = {}) {
  return getClaimedUser({ sub: "ada", ...payload }, mergeTokenIssuerConfig(readTokenIssuerConfig(null), changes));
}

/** Returns the grants as `organization: role`. */
function grants(payload: JWTPayload, changes: TokenIssuerConfigUpdate = {}): string[] {
  return read(payload, { claims: { organizations: "orgs", roles: "roles" }, ...changes }).grants.map(
    ({ type, id, organizationId, accessRole }) => {
      expect([type, organizationId]).toEqual(["organization", id]);
      return `${id}: ${accessRole}`;
    },
  );
}

const ROLES = { roles: { admin: "moderator", member: "editor", guest: "viewer" } } as const;

test("an organization, or a list of them, is granted with the default role, which is viewer", () => {
  expect(grants({ orgs: "acme" })).toEqual(["acme: viewer"]);
  expect(grants({ orgs: ["acme", "globex", "acme"] })).toEqual(["acme: viewer", "globex: viewer"]);
  expect(grants({ orgs: "acme" }, { defaultRole: "commenter" })).toEqual(["acme: commenter"]);
});

test.each([{}, { orgs: "" }, { orgs: [] }, { orgs: null }])(
  "without an organization, nothing is granted: %j",
  (claims) => {
    expect(grants({ ...claims, roles: "admin" }, ROLES)).toEqual([]);
  },
);

test("organizations are ignored unless the configuration names their claim", () => {
  expect(read({ orgs: "acme", org_id: "acme", "": "acme" }).grants).toEqual([]);
});

test.each([[7], [["acme", 7]], [{ acme: {} }], ["a".repeat(257)], ["acme\u0007"], ["acme\udc00"], [true]])(
  "an organization ID that is none rejects the token: %j",
  (orgs) => {
    expect(() => grants({ orgs })).toThrow(/invalid organization ID in the claim "orgs"/);
  },
);

test("a token names at most 100 organizations", () => {
  const orgs = Array.from({ length: 101 }, (_, index) => `org-${index}`);
  expect(grants({ orgs: orgs.slice(1) })).toHaveLength(100);
  expect(() => grants({ orgs })).toThrow(/more than 100 organizations/);
});

test("the highest of the user's roles counts, and others than those of the table do not", () => {
  expect(grants({ orgs: "acme", roles: "member" }, ROLES)).toEqual(["acme: editor"]);
  expect(grants({ orgs: "acme", roles: ["guest", "admin", "member"] }, ROLES)).toEqual(["acme: moderator"]);
  expect(grants({ orgs: "acme", roles: ["guest"] }, { ...ROLES, defaultRole: "editor" })).toEqual(["acme: viewer"]);
  expect(grants({ orgs: "acme", roles: ["owner", 7, null] }, ROLES)).toEqual(["acme: viewer"]);
  expect(grants({ orgs: "acme", roles: ["__proto__", "constructor", "toString"] }, ROLES)).toEqual(["acme: viewer"]);
});

test("a claim is found by its name, or else by its path, among own properties only", () => {
  const at = (organizations: string) => ({ claims: { organizations } });
  expect(grants({ app_metadata: { organization: "acme" } }, at("app_metadata.organization"))).toEqual(["acme: viewer"]);
  expect(grants({ "https://acme.example/org": "acme" }, at("https://acme.example/org"))).toEqual(["acme: viewer"]);
  expect(grants({ o: { slg: "acme" }, "o.slg": "globex" }, at("o.slg"))).toEqual(["globex: viewer"]);
  for (const path of ["constructor.name", "__proto__.x", "sub.length", "o.length", "o.0"]) {
    expect(grants({ o: ["acme"] }, at(path))).toEqual([]);
  }
});

test("the user ID may be in another claim", () => {
  const claims = { userId: "metadata.external" };
  expect(read({ metadata: { external: "user-7" } }, { claims }).userId).toBe("user-7");
  expect(() => read({}, { claims })).toThrow(/no valid user ID in the claim "metadata.external"/);
});

test("a name, address or photo that the service would not store is left out", () => {
  const valid = { name: "Zoë 🙂", email: " ada@example.com ", picture: "https://example.com/ada.png" };
  const expected = { name: "Zoë 🙂", email: "ada@example.com", photoUrl: "https://example.com/ada.png" };
  expect(read(valid)).toEqual({ userId: "ada", grants: [], ...expected });
  const names = ["", "a".repeat(257), "Ada\u0000", "Ada\ud800", 7, ["Ada"]];
  const emails = ["", "ada", "Ada <ada@example.com>", "ada@example.com\u0000", 7];
  const pictures = ["", "javascript:alert(1)", "data:image/png;base64,AA", "/ada.png", `https://a/${"a".repeat(2048)}`];
  for (const name of names) expect(read({ name })).toEqual({ userId: "ada", grants: [] });
  for (const email of emails) expect(read({ email })).toEqual({ userId: "ada", grants: [] });
  for (const picture of pictures) expect(read({ picture })).toEqual({ userId: "ada", grants: [] });
});

test("an address that the issuer has not verified is left out, and names no user", () => {
  const email = "ada@example.com";
  for (const email_verified of [false, "false", "False", 0, null, ""]) {
    expect(read({ email, email_verified })).toEqual({ userId: "ada", grants: [] });
    expect(() => read({ email, email_verified }, { claims: { userId: "email" } })).toThrow(/has not verified/);
  }
  for (const verified of [{}, { email_verified: true }, { email_verified: "true" }]) {
    expect(read({ email, ...verified })).toMatchObject({ email });
    expect(read({ email, ...verified }, { claims: { userId: "email" } }).userId).toBe(email);
  }
});

test("user IDs that only look alike are different users", () => {
  const [composed, decomposed] = ["zo\u00eb", "zoe\u0308"];
  expect([read({ sub: composed }).userId, read({ sub: decomposed }).userId]).toEqual([composed, decomposed]);
});
