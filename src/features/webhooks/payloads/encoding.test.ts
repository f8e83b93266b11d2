import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { expect, test } from "vitest";
import { SCOPE } from "../../../../test/factories.ts";
import { startTestService } from "../../../../test/harness.ts";
import { webhookBodies } from "../../../../test/webhook-bodies.ts";

const ADD_COMMENTS = "/v2/commentannotations/comments/add";
const ADA = { userId: "ada", name: "Ada Lovelace", email: "ada@example.com" };
const GRACE = { userId: "grace", name: "Grace Hopper", email: "grace@example.com" };
const IN_ACME = { organizationId: SCOPE.organizationId };
const THREAD = { ...SCOPE, annotationId: "a" };
const { workspaceWithThread, lastEvent, buildBody } = webhookBodies(await startTestService());

test("with data protection a body has IDs, and no texts, names, addresses or attachments", async () => {
  const workspace = await workspaceWithThread({
    location: { id: "page-2", locationName: "Secret place" },
    anchor: { ...{ editorId: "body", start: "ALW0++0KFgA=", end: "ALW0++0KIEE=" }, quote: { exact: "Secret quote" } },
  });
  const config = { inbox: "MINE", email: "NONE" } as const;
  await workspace.data("/v2/notifications/config/set", { ...IN_ACME, userIds: ["ada"], config });
  await workspace.data(ADD_COMMENTS, {
    ...THREAD,
    commentData: [
      {
        ...{ commentId: 2, commentText: "Secret text", commentHtml: "<b>Secret html</b>", triggerNotification: true },
        from: { ...GRACE, ...{ photoUrl: "https://example.com/secret.png", team: "Secret team" } },
        taggedUserContacts: [{ text: "@Secret", userId: "ada", contact: ADA }],
        attachments: [{ attachmentId: 1, url: "https://example.com/secret.pdf", name: "secret.pdf" }],
        metadata: { note: "Secret note" },
        context: { note: "Secret context" },
      },
    ],
  });
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { enableDataProtection: true });
  const body = await buildBody(workspace, await lastEvent(workspace));
  expect(body).not.toMatch(/secret|Thirty|Grace|Hopper|Lovelace|@example|Contract 7|Secret/);
  const { data, usersOrganizationNotificationsConfig } = JSON.parse(body);
  expect(usersOrganizationNotificationsConfig).toEqual({ ada: config });
  expect(data).toMatchObject({
    actionUser: { userId: "grace" },
    metadata: { organization: { organizationId: SCOPE.organizationId }, document: { documentId: SCOPE.documentId } },
    commentAnnotation: {
      annotationId: "a",
      location: { id: "page-2" },
      anchor: { editorId: "body" },
      status: { id: "OPEN" },
      from: { userId: "ada" },
    },
    targetComment: { commentId: 2, from: { userId: "grace" }, taggedUserContacts: [{ userId: "ada" }] },
  });
});

test("encodeData sends the base64 of the payload", async () => {
  const workspace = await workspaceWithThread();
  const plain = await buildBody(workspace, await lastEvent(workspace));
  await workspace.data("/v2/workspace/advancedwebhookconfig/update", { encodeData: true });
  const { encodedPayload, ...others } = JSON.parse(await buildBody(workspace, await lastEvent(workspace)));
  expect(Buffer.from(encodedPayload, "base64").toString()).toBe(plain);
  expect(others).toEqual({});
});

test.each(["spki", "pkcs1"] as const)(
  "encryptData sends a payload that only the private key of a %s key decrypts, with a fresh key each time",
  async (type) => {
    const workspace = await workspaceWithThread();
    const plain = await buildBody(workspace, await lastEvent(workspace));
    const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const publicKey = pair.publicKey.export({ type, format: "der" }).toString("base64");
    const settings = { encryptData: true, encodeData: true, publicKey };
    await workspace.data("/v2/workspace/advancedwebhookconfig/update", settings);
    const keys = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const { encryptedData, encryptedKey, iv, ...others } = JSON.parse(
        await buildBody(workspace, await lastEvent(workspace)),
      );
      const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
      const key = privateDecrypt({ key: pair.privateKey, ...padding }, Buffer.from(encryptedKey, "base64"));
      const decipher = createDecipheriv("aes-256-cbc", key, Buffer.from(iv, "base64"));
      const text = Buffer.concat([decipher.update(encryptedData, "base64"), decipher.final()]).toString();
      expect(text).toBe(plain);
      expect(key).toHaveLength(32);
      expect(others).toEqual({});
      keys.add(`${key.toString("hex")} ${iv}`);
    }
    expect(keys.size).toBe(2);
  },
);
