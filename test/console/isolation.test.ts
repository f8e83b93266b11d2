import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace, signIn } from "../sessions.ts";
import { addCommit } from "./commit.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, signedIn, type Visitor, visitor } from "./visitor.ts";

const service = await startTestService();
const attacker = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end("<h1>Attack</h1>"),
);
await new Promise<void>((resolve) => void attacker.listen(0, "127.0.0.1", resolve));
afterAll(() => attacker.close());
const { port } = getAddress(attacker.address());

/** Holds for a server that listens on TCP. */
function getAddress(address: string | AddressInfo | null): AddressInfo {
  return address as AddressInfo;
}

/** Sends a request from the open page. Returns the HTTP status, or the name of the error. */
function fetchIn({ page }: Visitor, url: string, init: object): Promise<unknown> {
  const parameters = JSON.stringify([url, init]).slice(1, -1);
  return page.evaluate(`fetch(${parameters}).then(({ status }) => status, (error) => error.name)`);
}

const JSON_TYPE = { "content-type": "application/json" };

describeInBrowser("an owner's access", () => {
  test("an owner cannot reach another owner's workspace by its URL or by the workspace header", async () => {
    const foreign = await ownedWorkspace(service, "ada@example.com");
    await addCommit(foreign, "A secret of Ada's");
    const own = await ownedWorkspace(service, "mallory@example.com");
    const mallory = await signedIn(service, "mallory@example.com");
    await mallory.open(`/${foreign.id}/overview`);
    for (const page of ["overview", "activities?organization=acme", "settings?tab=tokens"]) {
      await mallory.follow(`/${foreign.id}/${page}`);
      await mallory.sees("This workspace does not exist, or you do not have access to it.");
      expect(await mallory.page.content()).not.toMatch(new RegExp(`secret|${foreign.apiKey}`));
    }
    const statusFor = (id: string) =>
      fetchIn(mallory, "/v2/activities/get", {
        ...{ method: "POST", headers: { ...JSON_TYPE, "x-colloquy-workspace": id } },
        body: JSON.stringify({ data: { organizationId: "acme" } }),
      });
    expect(await statusFor(foreign.id)).toBe(403);
    expect(await statusFor("00000000-0000-4000-8000-000000000000")).toBe(403);
    expect(await statusFor(own.id)).not.toBe(403);
    await mallory.follow(`/${own.id}/activities?organization=acme`);
    await mallory.loaded();
    expect(await mallory.text()).not.toContain("secret");
  });

  test("an owner can switch between their own workspaces", async () => {
    const { workspace: second } = await enterNewWorkspace();
    await addCommit(second, "In the second one");
    const { workspace: first, owner } = await enterNewWorkspace();
    await owner.follow(`/${first.id}/overview`);
    await owner.sees("No activity yet.");
    await owner.page.getByLabel("Workspace").selectOption(second.id);
    await owner.sees("Ada Lovelace: In the second one");
    expect(owner.page.url()).toContain(`/console/${second.id}/overview`);
    expect(owner.problems).toEqual([]);
  });
});

/** Origins of the attacker. The browser sends the cookie to another port of a host, since SameSite ignores ports. */
const ORIGINS = {
  "another port of the same host": `http://127.0.0.1:${port}`,
  "another site": `http://localhost:${port}`,
};

for (const [place, origin] of Object.entries(ORIGINS)) {
  describeInBrowser(`a page of ${place}`, () => {
    test("it can neither change data with an owner's session, nor end the session, nor embed the console", async () => {
      const email = `owner@${new URL(origin).hostname}.example`;
      const workspace = await ownedWorkspace(service, email);
      await addCommit(workspace);
      const session = await signIn(service, email);
      const owner = await visitor(service, { cookie: session.cookie });
      await owner.page.goto(origin);
      const statuses: number[] = [];
      owner.page.on("response", (response) => {
        if (response.request().method() === "POST") statuses.push(response.status());
      });
      const url = `${service.address}/v2/organizations/access/disablestate/update`;
      const body = JSON.stringify({ data: { organizationIds: ["acme"], disabled: true } });
      const forged = { method: "POST", credentials: "include", body };
      expect(await fetchIn(owner, url, { ...forged, headers: JSON_TYPE })).toBe("TypeError");
      for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
        await fetchIn(owner, url, { ...forged, mode: "no-cors", headers: { "content-type": type } });
      }
      await fetchIn(owner, `${service.address}/console/session/end`, { ...forged, mode: "no-cors" });
      await owner.page.setContent(`<iframe src="${service.address}/console"></iframe>`);
      await expect.poll(() => owner.problems.join("\n")).toContain("frame-ancestors 'none'");
      // The service's policy does not apply to this page, so the form is sent.
      const field = body.replace(/}$/, ',"x":"');
      await owner.page.setContent(
        `<form method="post" enctype="text/plain" action="${url}"><input name='${field}' value='"}'><button>Win</form>`,
      );
      const responded = owner.page.waitForResponse(url);
      await owner.button("Win").click();
      await responded;

      expect(statuses.length).toBeGreaterThanOrEqual(2);
      expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
      await addCommit(workspace);
      const [cookie] = await owner.page.context().cookies(service.address);
      expect(`${cookie?.name}=${cookie?.value}`).toBe(session.cookie);
      expect(await session.workspaceIds()).toEqual([workspace.id]);
    });
  });
}
