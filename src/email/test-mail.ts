import { escapeHtml, htmlPage, type RenderedMail } from "./templates.ts";

/** Renders the test mail, which contains no data of users. */
export function renderTestMail(): RenderedMail {
  const subject = "Test mail from Colloquy";
  const sentences = "This is a test mail from Colloquy. If you can read it, mails work.";
  return { subject, text: `${sentences}\n`, html: htmlPage(subject, [`<p>${escapeHtml(sentences)}</p>`]) };
}
