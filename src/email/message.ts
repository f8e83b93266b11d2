import type { SendMailOptions } from "nodemailer";
import { domainOf, type Mailbox } from "./address.ts";
import type { RenderedMail } from "./templates.ts";

/** What is sent; the same in every attempt. */
export interface Mail extends RenderedMail {
  /** A uuid; the Message-ID is made of it, by which the receiving side may know a mail that comes twice. */
  id: string;
  from: Mailbox;
  to: Mailbox;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Sent because somebody asked for it: there is nothing to unsubscribe from. */
  isAskedFor?: true;
  /** Where the recipient can end them, by hand or by a POST of RFC 8058. */
  unsubscribeUrl?: string | undefined;
}

/** A line of a header may have 998 characters, and an address cannot be folded. */
const MAX_URL_LENGTH = 900;

/** As the mail library takes it, which encodes and folds every header. It reads no file and no address for it. */
export function messageOf(mail: Mail): SendMailOptions {
  const { id, from, to, createdAt, isAskedFor, subject, text, html } = mail;
  return {
    messageId: messageIdOf({ id, from }),
    date: new Date(createdAt),
    from,
    to,
    subject,
    text,
    html,
    headers: {
      // RFC 3834: keeps absence notes from being answered to it.
      "Auto-Submitted": "auto-generated",
      ...(!isAskedFor && unsubscribeHeaders(mail)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** One click is promised of `https:` alone, as mail programs take no other. */
function unsubscribeHeaders({ from, unsubscribeUrl: url = "" }: Mail): Record<string, string> {
  const mailbox = `<mailto:${encodeAddress(from.address)}?subject=unsubscribe>`;
  if (url === "" || url.length > MAX_URL_LENGTH) return { "List-Unsubscribe": mailbox };
  return {
    "List-Unsubscribe": `<${url}>, ${mailbox}`,
    ...(url.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
}

function messageIdOf({ id, from }: Pick<Mail, "id" | "from">): string {
  return `<${id}@${domainOf(from.address)}>`;
}

function encodeAddress(address: string): string {
  return `${encodeURIComponent(address.slice(0, address.lastIndexOf("@")))}@${domainOf(address)}`;
}
