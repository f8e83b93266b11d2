import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { SCOPE } from "../factories.ts";
import { post, startTestService, type TestWorkspace } from "../harness.ts";
import { longTest } from "../sizes.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser, EVENTUALLY, type Visitor } from "./visitor.ts";

const PHONE = { width: 390, height: 844 };
const COMMENT = { ...SCOPE, commentAnnotations: [{ commentData: [{ commentText: "Thirty days?" }] }] };
const { address } = await startTestService();

/** Opens the form in a new workspace whose documents only users with permissions can read. */
async function openForm(): Promise<{ workspace: TestWorkspace; owner: Visitor }> {
  const { workspace, owner } = await enterNewWorkspace();
  const documents = [{ documentId: "contract-7" }, { documentId: "contract-8" }];
  await workspace.data("/v2/organizations/documents/add", { organizationId: "acme", documents });
  await workspace.data("/v2/workspace/apikeyconfig/update", { defaultDocumentAccessType: "restricted" });
  await owner.follow(`/${workspace.id}/settings?tab=user-tokens`);
  await owner.loaded();
  return { workspace, owner };
}

function resource({ page }: Visitor, number: number) {
  return page.getByRole("group", { name: `Resource ${number}` });
}

/** Fills in a viewer of contract-7. */
async function fillIn(owner: Visitor): Promise<void> {
  await owner.page.getByLabel("User ID").fill("ada");
  await resource(owner, 1).getByLabel("Type").selectOption("Document");
  await resource(owner, 1).getByLabel("Organization ID").fill("acme");
  await resource(owner, 1).getByLabel("Document ID").fill("contract-7");
}

/** Generates the token of the form and returns it. */
async function generate(owner: Visitor): Promise<string> {
  await owner.button("Generate token").click();
  return (await owner.page.getByLabel("User token of ada").innerText()).trim();
}

function callAs(token: string, path: string, data: object) {
  return post(`${address}${path}`, data, { authorization: `Bearer ${token}` });
}

describeInBrowser("the form for user tokens", () => {
  test("a generated token gives the chosen access, and its command lists what the user can read", async () => {
    const { owner } = await openForm();
    await fillIn(owner);
    await owner.page.getByLabel("Name").fill("Ada Lovelace");
    const token = await generate(owner);
    expect(await owner.focused()).toBe("Token of ada");
    await owner.sees("It expires in 1 hour.");
    const command = await owner.page.getByLabel("Command that tries the token").innerText();
    const { body } = await runCurl(command);
    expect(body).toMatchObject({ result: { data: [{ id: "contract-7" }] } });
    expect(await callAs(token, "/v2/commentannotations/add", COMMENT)).toMatchObject({ httpStatus: 403 });
    expect(owner.problems).toEqual([]);
  });

  longTest("a user without a name and an address can comment as the editor of several resources", async () => {
    const { workspace, owner } = await openForm();
    await fillIn(owner);
    await resource(owner, 1).getByLabel("Role").selectOption("editor");
    await owner.button("Add a resource").click();
    await resource(owner, 2).getByLabel("Organization ID").fill("beta");
    const token = await generate(owner);
    expect(await callAs(token, "/v2/commentannotations/add", COMMENT)).toMatchObject({ httpStatus: 200 });
    const comments = [{ commentText: "Thirty days?", from: { userId: "ada" } }];
    expect(await workspace.data("/v2/commentannotations/get", SCOPE)).toMatchObject([{ comments }]);
  });

  longTest("an access context shows the annotations that require its pair", async () => {
    const { workspace, owner } = await openForm();
    await workspace.data("/v2/workspace/apikeyconfig/update", { isContextEnabled: true });
    const commentAnnotations = ["apollo", "gemini"].map((project) => ({
      ...{ annotationId: project, context: { access: { project } } },
      commentData: [{ commentText: "Thirty days?", from: { userId: "ada" } }],
    }));
    await workspace.data("/v2/commentannotations/add", { ...SCOPE, commentAnnotations });
    await fillIn(owner);
    await owner.button("Add a resource").click();
    await resource(owner, 2).getByLabel("Type").selectOption("Access context");
    await resource(owner, 2).getByLabel("Organization ID").fill("acme");
    await resource(owner, 2).getByLabel("Field").fill("bad:name");
    await resource(owner, 2).getByLabel("Value").fill("apollo");
    await owner.button("Generate token").click();
    await resource(owner, 2).getByText("Must have names of 1 to 256 characters").waitFor();
    expect(await resource(owner, 2).getByLabel("Field").getAttribute("aria-invalid")).toBe("true");
    expect(await owner.accessibilityViolations()).toEqual([]);
    await resource(owner, 2).getByLabel("Field").fill("project");
    const { body } = await callAs(await generate(owner), "/v2/commentannotations/get", SCOPE);
    expect(body).toMatchObject({ result: { data: [{ annotationId: "apollo" }] } });
  });

  longTest("access that ends before the token ends on its own", async () => {
    const { owner } = await openForm();
    await fillIn(owner);
    await resource(owner, 1).getByLabel(/^Ends/).fill("2020-01-01T00:00");
    const token = await generate(owner);
    expect(await callAs(token, "/v2/commentannotations/get", SCOPE)).toMatchObject({
      httpStatus: 403,
      body: { error: { details: { reason: "access_denied" } } },
    });
  });

  longTest("the error of the service is shown beside the field, which takes the focus", async () => {
    const { owner } = await openForm();
    await fillIn(owner);
    const lifetime = owner.page.getByLabel("Lifetime", { exact: true });
    const errors = [
      { amount: "3", unit: "days", message: "Must be at most 172800." },
      { amount: "59", unit: "seconds", message: "Must be at least 60." },
      { amount: "soon", unit: "hours", message: "Must be an integer." },
    ];
    for (const { amount, unit, message } of errors) {
      await lifetime.fill(amount);
      await owner.page.getByLabel("Unit of Lifetime").selectOption(unit);
      await owner.button("Generate token").click();
      await owner.sees(message);
      expect(await lifetime.getAttribute("aria-invalid")).toBe("true");
      await expect.poll(() => lifetime.evaluate((field) => Object(field).matches(":focus"))).toBe(true);
    }
    expect(await owner.accessibilityViolations()).toEqual([]);
    await lifetime.fill("2");
    await expect.poll(() => owner.text()).not.toContain("Must be");

    await owner.button("Add a resource").click();
    await resource(owner, 2).getByLabel("Type").selectOption("Document");
    await resource(owner, 2).getByLabel("Organization ID").fill("acme");
    await resource(owner, 2).getByLabel("Document ID").fill("contract-7");
    await owner.button("Generate token").click();
    await resource(owner, 2).getByText("Is repeated in this request.").waitFor();
    expect(await owner.page.getByRole("alert").count()).toBe(0);
    await owner.button("Remove resource 2").click();
    await expect.poll(() => owner.focused()).toBe("Add a resource");
    await generate(owner);
  });

  test("revoked tokens of a user are rejected, and those that are generated afterwards are not", async () => {
    const { owner } = await openForm();
    await fillIn(owner);
    const token = await generate(owner);
    expect(await callAs(token, "/v2/commentannotations/get", SCOPE)).toMatchObject({ httpStatus: 200 });
    await owner.button("Revoke tokens… ada").click();
    const dialog = owner.page.getByRole("dialog", { name: "Revoke all user tokens of ada?" });
    await dialog.getByRole("button", { name: "Revoke tokens" }).click();
    await owner.sees("Tokens revoked.");
    await owner.sees("This token is revoked");
    expect(await callAs(token, "/v2/commentannotations/get", SCOPE)).toMatchObject({
      httpStatus: 403,
      body: { error: { details: { reason: "user_token_revoked" } } },
    });
    expect(await callAs(await newToken(owner, token), "/v2/commentannotations/get", SCOPE)).toMatchObject({
      httpStatus: 200,
    });
    expect(owner.problems).toEqual([]);
  });

  longTest("the page of a user revokes their tokens", async () => {
    const { workspace, owner } = await openForm();
    await fillIn(owner);
    const token = await generate(owner);
    await owner.follow(`/${workspace.id}/people?user=ada`);
    await owner.button("Revoke tokens… ada").click();
    await owner.page.getByRole("dialog", { name: "Revoke all user tokens of ada?" }).waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.getByRole("dialog").getByRole("button", { name: "Revoke tokens" }).click();
    await owner.sees("Tokens revoked.");
    expect(await callAs(token, "/v2/commentannotations/get", SCOPE)).toMatchObject({ httpStatus: 403 });
  });

  longTest("the keyboard alone fills in the form and copies the token", async () => {
    const { owner } = await openForm();
    const { keyboard } = owner.page;
    await owner.page.getByLabel("User ID").focus();
    await keyboard.type("ada");
    // Past the name, the address, the lifetime and its unit.
    for (let tabs = 0; tabs < 5; tabs++) await keyboard.press("Tab");
    await keyboard.type("Doc");
    await keyboard.press("Tab");
    await keyboard.type("acme");
    await keyboard.press("Tab");
    await keyboard.type("contract-7");
    await keyboard.press("Enter");
    await owner.sees("Token of ada");
    await expect.poll(() => owner.focused()).toBe("Token of ada");
    await owner.tabTo("Copy");
    await keyboard.press("Enter");
    await owner.sees("Copied");
    const token = await owner.page.evaluate<string>("navigator.clipboard.readText()");
    expect(await callAs(token, "/v2/commentannotations/get", SCOPE)).toMatchObject({ httpStatus: 200 });
  });

  longTest("the form and a token are accessible and fit on a phone", async () => {
    const { owner } = await openForm();
    await fillIn(owner);
    await owner.button("Add a resource").click();
    await resource(owner, 2).getByLabel("Organization ID").fill("beta");
    await generate(owner);
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.page.setViewportSize(PHONE);
    expect(await owner.overflow()).toBe(0);
    expect(await owner.accessibilityViolations()).toEqual([]);
  });

  longTest("a token is gone after leaving the page", async () => {
    const { workspace, owner } = await openForm();
    await fillIn(owner);
    const token = await generate(owner);
    await owner.follow(`/${workspace.id}/settings?tab=sessions`);
    await owner.loaded();
    await owner.follow(`/${workspace.id}/settings?tab=user-tokens`);
    await owner.loaded();
    expect(await owner.page.content()).not.toContain(token);
  });
});

/** Sends what a curl command sends, without curl. */
function runCurl(command: string) {
  const printed = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" });
  const [url = "", ...words] = printed.split("\0");
  const buildValues = (option: string) => words.filter((_, index) => words[index - 1] === option);
  const headers = Object.fromEntries(buildValues("-H").map((header) => header.split(": ")));
  return post(url, JSON.parse(buildValues("-d")[0] ?? "").data, headers);
}

/** Generates another token and returns it once it is shown instead of the old one. */
async function newToken(owner: Visitor, oldToken: string): Promise<string> {
  await owner.button("Generate token").click();
  const shown = async () => (await owner.page.getByLabel("User token of ada").innerText()).trim();
  await expect.poll(shown, EVENTUALLY).not.toBe(oldToken);
  return shown();
}
