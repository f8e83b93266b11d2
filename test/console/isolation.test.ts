import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startTestService } from "../harness.ts";
import { ownedWorkspace } from "../sessions.ts";
import { addCommit } from "./commit.ts";
import { describeInBrowser, signedIn, type Visitor } from "./visitor.ts";

const service = await startTestService();
const evil = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<h1>Evil</h1>"));
await new Promise<void>((resolve) => void evil.listen(0, "127.0.0.1", resolve));
afterAll(() => evil.close());
const { port } = addressOf(evil.address());

/** Holds for a server that listens on TCP. */
function addressOf(address: string | AddressInfo | null): AddressInfo {
  return address as AddressInfo;
}

/** What a page that is open in the browser can send; the HTTP status, or why it got no answer. */
function fetchIn({ page }: Visitor, url: string, init: object): Promise<unknown> {
  const given = JSON.stringify([url, init]).slice(1, -1);
  return page.evaluate(`fetch(${given}).then(({ status }) => status, (error) => error.name)`);
}

const JSON_TYPE = { "content-type": "application/json" };

describeInBrowser("an owner reaches their own workspaces alone", () => {
  test("neither by the address nor by the header those of another", async () => {
    const foreign = await ownedWorkspace(service, "ada@example.com");
    await addCommit(foreign, "A secret of Ada's");
    const own = await ownedWorkspace(service, "mallory@example.com");
    const mallory = await signedIn(service, "mallory@example.com");
    for (const page of ["overview", "activities?organization=acme", "settings?tab=tokens"]) {
      await mallory.open(`/${foreign.id}/${page}`);
      await mallory.sees("This address names a workspace that this session does not reach.");
      expect(await mallory.page.content()).not.toMatch(new RegExp(`secret|${foreign.apiKey}`));
    }
    const ask = (id: string) =>
      fetchIn(mallory, "/v2/activities/get", {
        ...{ method: "POST", headers: { ...JSON_TYPE, "x-colloquy-workspace": id } },
        body: JSON.stringify({ data: { organizationId: "acme" } }),
      });
    expect(await ask(foreign.id)).toBe(403);
    expect(await ask("00000000-0000-4000-8000-000000000000")).toBe(403);
    expect(await ask(own.id)).not.toBe(403);
    await mallory.open(`/${own.id}/activities?organization=acme`);
    await mallory.loaded();
    expect(await mallory.text()).not.toContain("secret");
  });

  test("and goes from one of their own to another", async () => {
    const [first, second] = [
      await ownedWorkspace(service, "grace@example.com"),
      await ownedWorkspace(service, "grace@example.com"),
    ];
    await addCommit(second, "In the second one");
    const grace = await signedIn(service, "grace@example.com");
    await grace.open(`/${first.id}/overview`);
    await grace.sees("Nothing has happened yet.");
    await grace.page.getByLabel("Workspace").selectOption(second.id);
    await grace.sees("Ada Lovelace: In the second one");
    expect(grace.page.url()).toContain(`/console/${second.id}/overview`);
    expect(grace.problems).toEqual([]);
  });
});

// On another port of the same host the browser sends the cookie along, as SameSite knows no ports.
describeInBrowser.each([
  ["another port of the same host", `http://127.0.0.1:${port}`],
  ["another site", `http://localhost:${port}`],
])("a page of %s", (_, origin) => {
  test("changes nothing with somebody's session, nor ends it", async () => {
    const email = `owner@${new URL(origin).hostname}.example`;
    const workspace = await ownedWorkspace(service, email);
    await addCommit(workspace);
    const owner = await signedIn(service, email);
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
    // A form goes where it is sent, as no policy of the service's holds on this page.
    const field = body.replace(/}$/, ',"x":"');
    await owner.page.setContent(
      `<form method="post" enctype="text/plain" action="${url}"><input name='${field}' value='"}'><button>Win</form>`,
    );
    const answered = owner.page.waitForResponse(url);
    await owner.button("Win").click();
    await answered;

    expect(statuses.length).toBeGreaterThanOrEqual(2);
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    await addCommit(workspace);
    await owner.open(`/${workspace.id}/organizations?organization=acme`);
    await owner.button("Disable…").waitFor();
  });

  test("cannot show the console in a frame", async () => {
    const owner = await signedIn(service, null);
    await owner.page.goto(origin);
    await owner.page.setContent(`<iframe src="${service.address}/console"></iframe>`);
    await expect.poll(() => owner.problems.join("\n")).toContain("frame-ancestors 'none'");
  });
});
