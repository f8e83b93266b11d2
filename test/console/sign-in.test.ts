import { afterAll, expect, onTestFinished, test } from "vitest";
import { startOwnTestService } from "../harness.ts";
import { startMailServer } from "../mail-server.ts";
import { linkToken, ownedWorkspace, signIn } from "../sessions.ts";
import { longTest } from "../sizes.ts";
import { addCommit } from "./commit.ts";
import { describeInBrowser, EVENTUALLY, type Visitor, visitor } from "./visitor.ts";

const mailServer = await startMailServer();
afterAll(() => mailServer.close());
const service = await startOwnTestService(() => ({ smtpUrl: mailServer.url }));

/** Returns the login link in the mail that arrives for the address. */
async function mailedLink(email: string): Promise<string> {
  const mail = () => mailServer.mails.find(({ to }) => to.includes(email))?.parsed.text ?? "";
  await expect.poll(mail, EVENTUALLY).toContain("/console/sign-in#");
  return /http\S+\/console\/sign-in#[\w-]{43}/.exec(mail())?.[0] ?? "";
}

async function requestLink({ page }: Visitor, email: string): Promise<void> {
  await page.getByLabel("Email address of the workspace owner").fill(email);
  await page.keyboard.press("Enter");
  await page.getByText("a mail with a login link is on its way").waitFor();
}

describeInBrowser("signing in", () => {
  test("a mailed link returns to the URL where sign-in was requested, with its filter, and is valid once", async () => {
    const workspace = await ownedWorkspace(service, "ada@example.com");
    await addCommit(workspace);
    await addCommit(workspace, "Change it", { actionUser: { userId: "grace", name: "Grace Hopper" } });
    const ada = await visitor(service);
    const path = `/${workspace.id}/activities?organization=acme&user=ada`;
    await ada.open(path);
    await ada.sees("Sign in to Colloquy");
    expect(ada.problems, "problems without a session").toEqual([]);
    await requestLink(ada, "ada@example.com");

    const link = await mailedLink("ada@example.com");
    await ada.page.goto(link);
    await ada.sees("Ada Lovelace: Say how to start it");
    expect(await ada.text(), "what the filter in the URL excludes").not.toContain("Change it");
    expect(ada.page.url()).toBe(`${service.address}/console${path}`);
    expect(ada.problems).toEqual([]);

    const thief = await visitor(service);
    await thief.page.goto(link);
    await thief.sees("This link is invalid, expired or already used. Request a new one.");
    await thief.button("Request a new link").click();
    await thief.sees("Send link");
    await thief.open(path);
    await thief.sees("Sign in to Colloquy");
  });

  longTest("the link that the terminal prints opens the oldest workspace", async () => {
    const operator = await visitor(service);
    await operator.page.goto(`${service.address}/console/sign-in#${await linkToken(service, null)}`);
    await operator.sees("At a glance");
    expect(new URL(operator.page.url()).pathname).toMatch(/^\/console\/[\w-]{36}\/overview$/);
    expect(operator.problems).toEqual([]);
  });

  longTest("the keyboard alone suffices to sign in, and the token is not in the browser's history", async () => {
    await ownedWorkspace(service, "grace@example.com");
    const grace = await visitor(service);
    const { keyboard } = grace.page;
    await grace.open("/");
    await grace.sees("Sign in to Colloquy");
    await keyboard.press("Tab");
    await keyboard.type("grace@example.com");
    await grace.tabTo("Send link");
    await keyboard.press("Enter");
    await grace.sees("a mail with a login link is on its way");
    await grace.page.goto(await mailedLink("grace@example.com"));
    await grace.sees("At a glance");
    const { entries } = await (await grace.page.context().newCDPSession(grace.page)).send("Page.getNavigationHistory");
    expect(entries.map(({ url }) => url).join(" ")).toMatch(/\/overview$/);
    expect(entries.filter(({ url }) => url.includes("#"))).toEqual([]);
    await grace.tabTo("Sign out");
    await keyboard.press("Enter");
    await grace.sees("Send link");
    await grace.page.reload();
    await grace.sees("Send link");
  });

  test("an email address without a workspace gets the same response and no link", async () => {
    const stranger = await visitor(service);
    await stranger.open("/");
    await requestLink(stranger, "nobody@example.com");
    await stranger.sees("If nobody@example.com owns a workspace here");
    // Once a later mail has arrived, an earlier one would have arrived, too.
    await ownedWorkspace(service, "later@example.com");
    await stranger.open("/");
    await requestLink(stranger, "later@example.com");
    await mailedLink("later@example.com");
    expect(mailServer.mails.flatMap(({ to }) => to)).not.toContain("nobody@example.com");
  });

  test("an expired session is reported and signing in returns to the URL; one session can end all", async () => {
    const workspace = await ownedWorkspace(service, "alan@example.com");
    await addCommit(workspace);
    const session = await signIn(service, "alan@example.com");
    const alan = await visitor(service, { cookie: session.cookie });
    const path = `/${workspace.id}/activities?organization=acme&feature=custom`;
    await alan.open(path);
    await alan.sees("Say how to start it");
    await session.data("/v2/workspace/sessions/delete", {});
    await alan.choose("Refresh", "Activity feed");
    await alan.awaits("Your session has expired. Sign in to return to this page.");
    await alan.open(`/sign-in#${await linkToken(service, "alan@example.com")}`);
    await alan.sees("Say how to start it");
    expect(alan.page.url()).toBe(`${service.address}/console${path}`);

    await alan.follow(`/${workspace.id}/activities?organization=acme`);
    await alan.loaded();
    await (await signIn(service, "alan@example.com")).data("/v2/workspace/sessions/delete", {});
    // The page notices with the next event.
    await addCommit(workspace);
    await alan.awaits("Your session has expired. Sign in to return to this page.");
    await alan.open(`/sign-in#${await linkToken(service, "alan@example.com")}`);
    await alan.sees("Say how to start it");

    const elsewhere = await signIn(service, "alan@example.com");
    expect(await elsewhere.workspaceIds()).toEqual([workspace.id]);
    await alan.follow(`/${workspace.id}/settings?tab=sessions`);
    await alan.button("Sign out everywhere…").click();
    await alan.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await alan.sees("Send link");
    expect(await elsewhere.call("/v2/workspaces/get", {})).toMatchObject({ httpStatus: 403 });
    await alan.open(path);
    await alan.sees("Send link");
  });

  test("an expired session keeps what was typed in a dialog, until another tab has signed in", async () => {
    const workspace = await ownedWorkspace(service, "mary@example.com");
    await addCommit(workspace);
    const session = await signIn(service, "mary@example.com");
    const mary = await visitor(service, { cookie: session.cookie });
    await mary.open(`/${workspace.id}/organizations`);
    await mary.button("Create organization").click();
    const name = mary.page.getByLabel("Name");
    await mary.page.getByLabel("Organization ID").fill("globex");
    await name.fill("Globex");
    await session.data("/v2/workspace/sessions/delete", {});
    await name.press("Enter");
    const dialog = mary.page.getByRole("dialog", { name: "Sign in to Colloquy" });
    await dialog.waitFor();
    expect(await mary.accessibilityViolations()).toEqual([]);
    await mary.page.keyboard.press("Escape");
    const other = await mary.page.context().newPage();
    onTestFinished(() => other.close());
    await other.goto(`${service.address}/console/sign-in#${await linkToken(service, "mary@example.com")}`);
    await dialog.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Globex");
    await name.press("Enter");
    await mary.sees("Globex");
    const found = await workspace.data("/v2/organizations/get", { organizationIds: ["globex"] });
    expect(found).toMatchObject([{ organizationName: "Globex" }]);
  });
});
