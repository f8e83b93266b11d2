import type { RequestData, ResponseData } from "../../api/call.ts";

export type EmailConfig = ResponseData<"/v2/workspace/emailconfig/get">;
type Update = RequestData<"/v2/workspace/emailconfig/update">;

/** State of the form. */
export interface EmailForm {
  isOn: boolean;
  type: EmailConfig["emailServiceConfig"]["type"];
  fromEmail: string;
  fromCompany: string;
  /** New key, or empty to keep the stored one. */
  apiKey: string;
  triggers: Record<string, boolean>;
}

/** Labels of the API's triggers. */
export const TRIGGER_LABELS: Record<string, string> = {
  "comment_annotation.add": "A user begins a thread",
  "comment.add": "A user replies",
  "comment_annotation.status_change": "The status of a thread changes",
  "comment_annotation.assign": "A thread is assigned",
  "comment_annotation.priority_change": "The priority of a thread changes",
};

export const PROVIDERS: { value: EmailForm["type"]; label: string; key: string }[] = [
  { value: "default", label: "Server default", key: "" },
  { value: "sendgrid", label: "SendGrid", key: "SendGrid API key" },
  { value: "postmark", label: "Postmark", key: "Postmark server token" },
  { value: "resend", label: "Resend", key: "Resend API key" },
  { value: "mailgun", label: "Mailgun", key: "Mailgun SMTP password, or login:password" },
  { value: "ses", label: "Amazon SES", key: "SES SMTP credentials: user:password or region:user:password" },
  { value: "smtp", label: "Custom SMTP server", key: "URL, such as smtps://user:password@mail.example.com" },
];

/** Returns the form for the stored settings, without the key. */
export function toForm({ useEmailService, emailServiceConfig }: EmailConfig): EmailForm {
  const { type, fromEmail, fromCompany, triggers = {} } = emailServiceConfig;
  const known = Object.fromEntries(Object.keys(TRIGGER_LABELS).map((name) => [name, false]));
  return { isOn: useEmailService, type, fromEmail, fromCompany, apiKey: "", triggers: { ...known, ...triggers } };
}

/** Returns the update that saves the form. It contains the key only if a new one was entered. */
export function toUpdate({ isOn, apiKey, ...settings }: EmailForm): Update {
  return { useEmailService: isOn, emailServiceConfig: { ...settings, ...(apiKey !== "" && { apiKey }) } };
}
