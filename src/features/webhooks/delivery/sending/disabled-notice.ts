import Type from "typebox";
import type { Mailer } from "../../../../email/mailer.ts";
import { webhookDisabledMail } from "../../../../email/webhook-disabled-mail.ts";
import { type Job, RetryLater } from "../../../../jobs/jobs.ts";
import { recordWorkspaceMail } from "../../../workspaces/workspace-mail-queries.ts";
import { findWorkspace } from "../../../workspaces/workspace-queries.ts";
import { selectEndpoint } from "../../endpoints/webhook-endpoint-queries.ts";

const Payload = Type.Object({ workspaceId: Type.String(), endpointId: Type.String(), mailId: Type.String() });

export const SEND_DISABLED_NOTICE = { name: "send-webhook-disabled-notice", payload: Payload };

/** Creates the job that mails the owner of a workspace that an endpoint was disabled. */
export function createSendDisabledNotice(mailer: Mailer): Job<typeof Payload> {
  return {
    ...SEND_DISABLED_NOTICE,
    async run({ database, log, signal }, { workspaceId, endpointId, mailId: id }) {
      signal.throwIfAborted();
      const workspace = await findWorkspace(database, { id: workspaceId });
      const endpoint = await selectEndpoint(database, workspaceId, endpointId);
      if (!workspace?.ownerEmail || !endpoint?.disabled) return;
      const { host } = new URL(JSON.parse(endpoint.settings).url);
      const mail = {
        id,
        from: mailer.sender,
        to: { name: "", address: workspace.ownerEmail },
        createdAt: Date.now(),
        isTransactional: true as const,
        ...webhookDisabledMail({ workspace: workspace.name, endpointId, host }),
      };
      const result = await mailer.send(mail, { signal });
      const { outcome, reason } = result;
      const about = { id, kind: "webhook_disabled", address: workspace.ownerEmail } as const;
      await recordWorkspaceMail(database, [workspaceId], about, result);
      mailer.counts[outcome]++;
      if (outcome === "deferred") throw new RetryLater("the mail could not be sent yet");
      if (outcome !== "sent") log.warn({ outcome, reason }, "a notice about a webhook endpoint could not be sent");
    },
  };
}
