import { join } from "node:path";
import type { Browser } from "playwright-core";
import { loginLinkMail } from "../../src/email/login-link-mail.ts";
import { type MailEvent, renderMail } from "../../src/email/templates.ts";

/** Width of a mail on a narrow phone, in pixels. */
const WIDTH = 360;
const COLUMNS = 3;
const GAP = 12;
const GRID = `body { display: grid; grid-template-columns: repeat(${COLUMNS}, ${WIDTH}px); align-items: start;
  gap: ${GAP}px; margin: ${GAP}px; background: #808080 } img { display: block }`;
const SERVICE = "https://collaboration.acme.example";
const UNSUBSCRIBE = `${SERVICE}/mails/unsubscribe?token=example`;

const EVENT: MailEvent = {
  annotationId: "thread-1",
  commentId: 1,
  url: "https://app.acme.example/contracts/7?clause=3",
  trigger: "comment.add",
  actor: "Ada Lovelace",
  recipient: "Grace Hopper",
  document: "Lease of the harbor office",
  isRecipientAssigned: false,
  reason: "participant",
};
const ASSIGNED = {
  ...EVENT,
  trigger: "comment_annotation.assign" as const,
  assignee: "Grace Hopper",
  isRecipientAssigned: true,
  reason: "assigned" as const,
};
const RESOLVED = {
  ...EVENT,
  trigger: "comment_annotation.status_change" as const,
  from: "Open",
  to: "Resolved",
  isResolved: true,
};

const LONG_TEXT = `Thirty days are usual here:

1. one month for the deposit,
2. three months for the lease.

See https://law.example/tenancy/notice-periods-of-commercial-leases-2026`;

const MAILS = [
  renderMail({ ...EVENT, reason: "mentioned", text: "Should this say thirty days, @Grace?" }, "", UNSUBSCRIBE),
  renderMail({ ...EVENT, text: LONG_TEXT }, "", UNSUBSCRIBE),
  renderMail({ ...ASSIGNED, further: [RESOLVED] }, "", UNSUBSCRIBE),
  renderMail({ ...EVENT, actor: "נועה", text: "שלושים יום, או חודש?\nנבדוק מחר." }, "", UNSUBSCRIBE),
  renderMail(
    {
      ...EVENT,
      updateId: "1",
      text: "The deposit is missing.",
      further: [
        { ...EVENT, updateId: "2", actor: "Alan Turing", text: "Added it." },
        { ...RESOLVED, updateId: "3" },
      ],
    },
    "",
    UNSUBSCRIBE,
  ),
  loginLinkMail({ baseUrl: SERVICE, url: `${SERVICE}/console/sign-in#iIL-fSbDYTSkwliQshVgJTQNH45PPyBPIyDlrukIE1E` }),
];

/** Takes a picture of six mails side by side, as a narrow client shows them, with a light and a dark background. */
export async function takeMailPictures(browser: Browser, folder: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: WIDTH, height: 100 }, colorScheme });
    const page = await context.newPage();
    const images: string[] = [];
    for (const { html } of MAILS) {
      await page.setContent(html);
      images.push((await page.screenshot({ fullPage: true })).toString("base64"));
    }
    const shown = images.map((image) => `<img src="data:image/png;base64,${image}">`);
    await page.setViewportSize({ width: (WIDTH + GAP) * COLUMNS + GAP, height: 100 });
    await page.setContent(`<style>${GRID}</style>${shown.join("")}`);
    await page.screenshot({ path: join(folder, `mails-${colorScheme}.png`), fullPage: true });
    await context.close();
  }
}
