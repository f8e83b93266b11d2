import { expect, test } from "vitest";
import { BEFORE_CACHE_EXPIRY } from "../../../../test/eventually.ts";
import { addActivities, SCOPE } from "../../../../test/factories.ts";
import { post, startOwnTestService, startTestService } from "../../../../test/harness.ts";
import { issuerHeaders, startIssuer } from "../../../../test/token-issuer.ts";

const GET = "/v2/workspace/tokenissuerconfig/get";
const PATH = "/v2/workspace/tokenissuerconfig/update";
const service = await startTestService();

const BEFORE_ANY_UPDATE = {
  ...{
    isEnabled: false,
    issuer: "",
    jwksUrl: "",
    audience: "",
    audienceClaim: "aud",
    roles: {},
    defaultRole: "viewer",
  },
  claims: { userId: "sub", name: "name", email: "email", photoUrl: "picture", organizations: "", roles: "" },
};
const ISSUER = {
  ...{ issuer: "https://issuer.example/", jwksUrl: "https://issuer.example/keys", audience: "colloquy" },
};

test("before the first update no issuer is accepted", async () => {
  const workspace = await service.workspace();
  expect(await workspace.data(GET, {})).toEqual(BEFORE_ANY_UPDATE);
});

test("an update replaces the fields and claims that it has, and roles as a whole", async () => {
  const [workspace, other] = await Promise.all([service.workspace(), service.workspace()]);
  await workspace.data(PATH, { ...ISSUER, claims: { roles: "a.b" }, roles: { admin: "moderator", guest: "viewer" } });
  const changes = { isEnabled: true, claims: { organizations: "orgs" }, roles: { admin: "editor" as const } };
  const expected = {
    ...{ ...BEFORE_ANY_UPDATE, ...ISSUER, ...changes },
    claims: { ...BEFORE_ANY_UPDATE.claims, roles: "a.b", organizations: "orgs" },
  };
  expect(await workspace.data(PATH, changes)).toEqual(expected);
  expect(await workspace.data(GET, {})).toEqual(expected);
  expect(await other.data(GET, {})).toEqual(BEFORE_ANY_UPDATE);
});

test.each([
  [{}, "data must have one of"],
  [{ isEnabled: true }, "data.issuer is required to enable the issuer"],
  [{ ...ISSUER, isEnabled: true, audience: "" }, "data.audience is required to enable the issuer"],
  [{ ...ISSUER, isEnabled: true, jwksUrl: "" }, "data.jwksUrl is required to enable the issuer"],
  [
    { jwksUrl: "http://issuer.example/keys" },
    "data.jwksUrl must be an https URL, unless ALLOW_PRIVATE_ADDRESSES is set",
  ],
  [{ jwksUrl: "ftp://issuer.example/keys" }, "data.jwksUrl must be an https URL, such as"],
  [{ jwksUrl: "https://ada:secret@issuer.example/keys" }, "data.jwksUrl must have no user name and password"],
  [{ jwksUrl: " https://issuer.example/keys" }, "data.jwksUrl must be an https URL, such as"],
  [{ issuer: "https://issuer.example/\u0000" }, "data.issuer must have no control characters"],
  [{ issuer: "a".repeat(513) }, "data.issuer"],
  [{ audienceClaim: "iss" }, "data.audienceClaim"],
  [{ claims: { userId: "" } }, "data.claims.userId must not be empty"],
  [{ claims: { address: "a" } }, "data.claims.address is not a field"],
  [{ roles: { admin: "owner" } }, "data.roles"],
  [{ roles: { "": "viewer" } }, "data.roles must have names of 1 to 256 characters"],
  [{ roles: { ["a".repeat(257)]: "viewer" } }, "data.roles must have names of 1 to 256 characters"],
  [{ roles: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`role-${index}`, "viewer"])) }, "data.roles"],
  [{ defaultRole: null }, "data.defaultRole"],
])(
  "an update that could not verify tokens safely is INVALID_ARGUMENT and changes nothing: %j",
  async (data, message) => {
    const workspace = await service.workspace();
    const error = await workspace.error(PATH, data);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining(message) });
    expect(await workspace.data(GET, {})).toEqual(BEFORE_ANY_UPDATE);
  },
);

test("a role and a claim may have any name, also one that every object has", async () => {
  const workspace = await service.workspace();
  const body = `{"data":{"roles":{"__proto__":"moderator","constructor":"viewer"},"claims":{"roles":"__proto__"}}}`;
  expect((await workspace.call(PATH, body)).httpStatus).toBe(200);
  const stored = await workspace.call(GET, {});
  expect(JSON.stringify(stored.body)).toContain('"roles":{"__proto__":"moderator","constructor":"viewer"}');
});

test("an update needs the scope admin, and takes effect on every process", async () => {
  const own = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
  const [workspace, issuer, second] = [await own.workspace(), await startIssuer(), await own.secondProcess()];
  const { authToken } = await workspace.data("/v2/workspace/authtokens/add", {
    name: "reader",
    scopes: ["read", "write"],
  });
  const asReader = await workspace.call(PATH, { isEnabled: false }, { "x-service-auth-token": authToken });
  expect(asReader).toMatchObject({ httpStatus: 403, body: { error: { details: { reason: "scope_missing" } } } });
  await addActivities(workspace, ["a"]);
  const headers = issuerHeaders(workspace, await issuer.sign({ orgs: "acme" }));
  const getStatus = async () => (await post(`${second.address}/v2/activities/get`, SCOPE, headers)).httpStatus;
  expect(await getStatus()).toBe(403);
  await issuer.enable(workspace);
  await expect.poll(getStatus, BEFORE_CACHE_EXPIRY).toBe(200);
  await workspace.data(PATH, { isEnabled: false });
  await expect.poll(getStatus, BEFORE_CACHE_EXPIRY).toBe(403);
});
