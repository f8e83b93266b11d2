import type { SendMailOptions } from "nodemailer";
import { getDomain, type Mailbox } from "./address.ts";
import type { RenderedMail } from "./templates.ts";

/** A mail, the same in every attempt. */
export interface Mail extends RenderedMail {
  /** A UUID. It becomes the Message-ID, by which the receiver can detect duplicates. */
  id: string;
  from: Mailbox;
  to: Mailbox;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Whether the mail has no unsubscribe link: it was requested or is about the recipient's workspace. */
  isTransactional?: true;
  /** ID that the mails of one conversation have in common, by which mail programs show them together. */
  threadId?: string | undefined;
  /** URL at which the recipient can unsubscribe, by hand or by the POST of RFC 8058. */
  unsubscribeUrl?: string | undefined;
}

/** Maximum length of a URL in a header: a line may have 998 characters, and a URL cannot be folded. */
const MAX_URL_LENGTH = 900;

/** Returns the mail for the mail library, which encodes and folds headers. It may read no file and no URL for it. */
export function toSendMailOptions(mail: Mail): SendMailOptions {
  const { id, from, to, createdAt, isTransactional, threadId, subject, text, html } = mail;
  const thread = threadId === undefined ? undefined : getMessageId({ id: threadId, from });
  return {
    messageId: getMessageId({ id, from }),
    ...(thread !== undefined && { inReplyTo: thread, references: thread }),
    date: new Date(createdAt),
    from,
    to,
    subject,
    text,
    html,
    headers: {
      // RFC 3834: prevents automatic replies.
      "Auto-Submitted": "auto-generated",
      ...(!isTransactional && unsubscribeHeaders(mail)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Returns the unsubscribe headers. One-click is offered only for `https:`, because mail programs accept no other. */
function unsubscribeHeaders({ from, unsubscribeUrl: url = "" }: Mail): Record<string, string> {
  const mailbox = `<mailto:${encodeAddress(from.address)}?subject=unsubscribe>`;
  if (url === "" || url.length > MAX_URL_LENGTH) return { "List-Unsubscribe": mailbox };
  return {
    "List-Unsubscribe": `<${url}>, ${mailbox}`,
    ...(url.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
}

function getMessageId({ id, from }: Pick<Mail, "id" | "from">): string {
  return `<${id}@${getDomain(from.address)}>`;
}

function encodeAddress(address: string): string {
  return `${encodeURIComponent(address.slice(0, address.lastIndexOf("@")))}@${getDomain(address)}`;
}
