import { expect, test, vi } from "vitest";
import { Connection } from "../../packages/client/src/connection.ts";
import { createClient } from "../../packages/client/src/index.ts";
import { getName } from "../../packages/client/src/tab-stream.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService } from "../harness.ts";
import { startIssuer } from "../token-issuer.ts";

const FEED = "/v2/activities/get";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
const issuer = await startIssuer();

test("a client with an API key calls and listens with tokens of the workspace's token issuer", async () => {
  const workspace = await service.workspace();
  await issuer.enable(workspace);
  await addActivities(workspace, ["one"]);
  const getUserToken = vi.fn(() => issuer.sign({ orgs: "acme" }));
  const client = createClient({ url: service.address, apiKey: workspace.apiKey, getUserToken });
  expect((await client.call(FEED, SCOPE)).data).toHaveLength(1);
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  const onStatus = (status: string) => void (status === "open" && open());
  const stream = client.events({ ...SCOPE, kinds: ["activity.add"], onStatus });
  const next = stream.next();
  await isOpen;
  await addActivities(workspace, ["two"]);
  expect((await next).value).toMatchObject({ event: "activity.add", subject: { id: "two" } });
  await stream.return(undefined as never);
  expect(getUserToken).toHaveBeenCalledTimes(1);
  const withoutKey = createClient({ url: service.address, getUserToken });
  await expect(withoutKey.call(FEED, SCOPE)).rejects.toMatchObject({ reason: "user_token_invalid" });
});

test("the address for document sync has the API key of the client, if it has one", () => {
  const url = "https://colloquy.example.com/";
  const syncUrl = "wss://colloquy.example.com/v2/crdt/sync";
  const getUserToken = () => "token";
  expect(createClient({ url, getUserToken }).syncUrl).toBe(syncUrl);
  expect(createClient({ url, getUserToken, apiKey: "a&b" }).syncUrl).toBe(`${syncUrl}?apiKey=a%26b`);
});

test("tabs of two workspaces with the same token issuer do not share a stream", async () => {
  const getUserToken = () => issuer.sign({ orgs: "acme" });
  const page = { location: { href: service.address } };
  const nameIn = (apiKey: string) =>
    getName(page, new Connection({ url: service.address, getUserToken, apiKey }), { organizationId: "acme" });
  const [one, again, other] = await Promise.all([nameIn("one"), nameIn("one"), nameIn("other")]);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});
