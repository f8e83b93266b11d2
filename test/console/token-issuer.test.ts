import { expect, test } from "vitest";
import { addActivities, SCOPE } from "../factories.ts";
import { generateIssuerKey, issuerClaims } from "../token-issuer.ts";
import { tokenFor } from "../user-tokens.ts";
import { enterNewWorkspace } from "./owner.ts";
import { describeInBrowser } from "./visitor.ts";

describeInBrowser("the form for the token issuer", () => {
  test("saves the issuer, its claims and roles, and names a field that is wrong", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one"], SCOPE);
    await owner.follow(`/${workspace.id}/settings?tab=token-issuer`);
    await owner.loaded();
    const fill = (label: string, text: string) => owner.page.getByLabel(label, { exact: true }).fill(text);
    await owner.page.getByRole("switch", { name: "Accept tokens of the issuer below" }).check();
    await fill("Issuer", "https://issuer.example/");
    await fill("URL of the signing keys", "issuer.example/keys");
    await fill("Audience", "colloquy");
    await owner.button("Save").click();
    await owner.sees("Must be an https URL");
    await fill("URL of the signing keys", "https://issuer.example/keys");
    await fill("Organizations", "app_metadata.organizations");
    await fill("Roles of the issuer", "roles");
    await fill("Roles", "org:admin: moderator");
    await owner.page.getByLabel("Default role").selectOption("commenter");
    await owner.button("Save").click();
    await owner.sees("Saved.");
    expect(await workspace.data("/v2/workspace/tokenissuerconfig/get", {})).toMatchObject({
      ...{ isEnabled: true, issuer: "https://issuer.example/", jwksUrl: "https://issuer.example/keys" },
      ...{ audience: "colloquy", audienceClaim: "aud", roles: { "org:admin": "moderator" }, defaultRole: "commenter" },
      claims: { userId: "sub", organizations: "app_metadata.organizations", roles: "roles" },
    });
  });

  test("tries a token, and shows why it is rejected", async () => {
    const { workspace, owner } = await enterNewWorkspace();
    await addActivities(workspace, ["one"], SCOPE);
    await owner.follow(`/${workspace.id}/settings?tab=token-issuer`);
    await owner.loaded();
    const key = await generateIssuerKey("first");
    const tryToken = async (token: string) => {
      await owner.page.getByLabel("Token", { exact: true }).fill(token);
      await owner.page.getByLabel("Organization ID").fill(SCOPE.organizationId);
      await owner.button("Try token").click();
    };
    await tryToken(await key.sign(issuerClaims("https://issuer.example/")));
    await owner.sees("the workspace accepts no other token issuer");
    await tryToken(await tokenFor(workspace, "ada"));
    await owner.sees("The token is accepted. Its user can read 1 document in acme.");
  });
});
