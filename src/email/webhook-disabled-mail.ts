import { escapeHtml, htmlPage, type RenderedMail } from "./templates.ts";

/** Renders the mail to the owner of a workspace about a webhook endpoint that was disabled. */
export function webhookDisabledMail(about: { workspace: string; endpointId: string; host: string }): RenderedMail {
  const subject = `Webhook endpoint disabled: ${about.host}`;
  const paragraphs = [
    "Hello,",
    `Colloquy has disabled the webhook endpoint ${about.endpointId} (${about.host}) of the workspace ` +
      `${about.workspace}: every attempt to reach it has failed for five days.`,
    "It receives no events until you enable it again with /v2/workspace/advancedwebhook/endpoints/update.",
  ];
  return {
    subject,
    text: [...paragraphs, ""].join("\n\n"),
    html: htmlPage(
      subject,
      paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ),
  };
}
