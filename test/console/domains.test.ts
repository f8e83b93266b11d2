import { expect, test } from "vitest";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

describeInBrowser("the form for allowed domains", () => {
  test("says at its field why a domain is rejected, and allows one", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await owner.follow(`/${workspace.id}/settings?tab=domains`);
    const field = owner.page.getByLabel("Domain", { exact: true });
    await field.fill("https://foo bar");
    await field.press("Enter");
    await owner.sees("Must be a domain, *. in front of one, localhost or an IP address.");
    await field.and(owner.page.locator("[aria-invalid=true]:focus")).waitFor();
    expect(await owner.text()).not.toContain("Request ID");
    await field.fill("app.example.com");
    await field.press("Enter");
    await owner.button("Remove… app.example.com").waitFor();
    await field.fill("app.example.com");
    await field.press("Enter");
    await owner.sees("This domain is already allowed.");
    const { allowedDomains } = await workspace.data("/v2/workspace/domains/get", {});
    expect(allowedDomains).toEqual(["app.example.com"]);
  });
});
