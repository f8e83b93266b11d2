import { expect, test, vi } from "vitest";
import { createClient } from "../../packages/client/src/index.ts";
import { addActivities, SCOPE } from "../factories.ts";
import { startOwnTestService } from "../harness.ts";
import { startIssuer } from "../token-issuer.ts";

const FEED = "/v2/activities/get";
const service = await startOwnTestService(() => ({ allowPrivateAddresses: true }));
const issuer = await startIssuer();

test("a client with an API key calls and listens with tokens of the workspace's token issuer", async () => {
  const workspace = await service.workspace();
  await issuer.enable(workspace);
  // The first reader turns the log on.
  await workspace.data("/v2/events/get", { organizationId: SCOPE.organizationId });
  await addActivities(workspace, ["one"]);
  const getUserToken = vi.fn(() => issuer.sign({ orgs: "acme" }));
  const client = createClient({ url: service.address, apiKey: workspace.apiKey, getUserToken });
  expect((await client.call(FEED, SCOPE)).data).toHaveLength(1);
  const { eventCursor: cursor } = await client.call(FEED, SCOPE);
  await addActivities(workspace, ["two"]);
  const stream = client.events({ ...SCOPE, kinds: ["activity.add"], cursor });
  expect((await stream.next()).value).toMatchObject({ event: "activity.add", subject: { id: "two" } });
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
