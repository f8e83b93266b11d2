import { expect, test } from "vitest";
import { Cipher } from "../../src/config/cipher.ts";
import { unsubscribeToken } from "../../src/features/mails/unsubscribe.ts";
import { organizationKey } from "../../src/features/tenancy/organization-key.ts";
import { startTestService } from "../harness.ts";
import { describeInBrowser, visitor } from "./visitor.ts";

const service = await startTestService();

describeInBrowser("the unsubscribe page of a mail", () => {
  test("its button stops the mails without violating the content security policy", async () => {
    const workspace = await service.workspace();
    await workspace.data("/v2/organizations/add", { organizations: [{ organizationId: "acme" }] });
    const signer = new Cipher([Buffer.from(service.config.secretKey ?? "", "hex")], "colloquy mail subscriptions");
    const token = unsubscribeToken(signer, { organizationKey: organizationKey(workspace.id, "acme"), userId: "grace" });
    const { page, problems } = await visitor(service);
    await page.goto(`${service.address}/mails/unsubscribe?token=${token}`);
    await page.getByRole("button", { name: "Unsubscribe" }).click();
    await page.getByRole("heading", { name: "You are unsubscribed" }).waitFor();
    expect(problems).toEqual([]);
    const request = { organizationId: "acme", userId: "grace", getOrganizationConfig: true };
    const config = await workspace.data("/v2/notifications/config/get", request);
    expect(config).toMatchObject([{ config: { email: "NONE", inbox: "ALL" } }]);
  });
});
