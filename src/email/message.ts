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
}

/** As the mail library takes it, which encodes and folds every header. It reads no file and no address for it. */
export function messageOf({ id, from, to, createdAt, isAskedFor, subject, text, html }: Mail): SendMailOptions {
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
      ...(!isAskedFor && { "List-Unsubscribe": `<mailto:${encodeAddress(from.address)}?subject=unsubscribe>` }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function messageIdOf({ id, from }: Pick<Mail, "id" | "from">): string {
  return `<${id}@${domainOf(from.address)}>`;
}

function encodeAddress(address: string): string {
  return `${encodeURIComponent(address.slice(0, address.lastIndexOf("@")))}@${domainOf(address)}`;
}
