import { escapeHtml, htmlPage, type RenderedMail } from "./templates.ts";

interface LoginLink {
  /** Address of the service, by which the recipient recognizes it. */
  baseUrl: string;
  /** The link itself, the only secret in the mail. */
  url: string;
}

const BUTTON_STYLE =
  "display:inline-block;padding:10px 20px;border-radius:6px;background:#1a4fd6;color:#ffffff;text-decoration:none";

/** Renders the mail with a login link. It contains nothing that the requester chose, because anybody can request it. */
export function loginLinkMail({ baseUrl, url }: LoginLink): RenderedMail {
  const subject = "Sign in to the Colloquy console";
  const requested = `Someone requested a link to sign in to the Colloquy console at ${baseUrl}.`;
  const rules = "The link works once and expires after 15 minutes. Anyone with this link can sign in. Do not share it.";
  const otherwise = "If you did not request this, ignore this mail.";
  return {
    subject,
    text: ["Hello,", `${requested} This link signs you in:`, url, rules, otherwise, ""].join("\n\n"),
    html: htmlPage(subject, [
      "<p>Hello,</p>",
      `<p>${escapeHtml(requested)}</p>`,
      `<p><a href="${escapeHtml(url)}" style="${BUTTON_STYLE}">Sign in</a></p>`,
      `<p>Or open this address:<br>${escapeHtml(url)}</p>`,
      `<p>${escapeHtml(rules)}</p>`,
      `<p>${escapeHtml(otherwise)}</p>`,
    ]),
  };
}
