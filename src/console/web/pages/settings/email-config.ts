/** What /v2/workspace/emailconfig/get answers. */
export interface EmailConfig {
  useEmailService: boolean;
  emailServiceConfig: {
    apiKey: string;
    type: string;
    fromEmail: string;
    fromCompany: string;
    triggers?: Record<string, boolean>;
  };
}

/** What stands in the form. */
export interface EmailForm {
  isOn: boolean;
  type: string;
  fromEmail: string;
  fromCompany: string;
  /** A new one; empty: the one that is kept. */
  apiKey: string;
  triggers: Record<string, boolean>;
}

/** Those of the API, with what the mail says. */
export const TRIGGERS: Record<string, string> = {
  "comment_annotation.add": "Somebody comments on a document",
  "comment.add": "Somebody replies",
  "comment_annotation.status_change": "Somebody changes the status of a comment",
  "comment_annotation.assign": "Somebody assigns a comment",
  "comment_annotation.priority_change": "Somebody changes the priority of a comment",
};

export const PROVIDERS = [
  { value: "default", label: "The server's own", key: "" },
  { value: "sendgrid", label: "SendGrid", key: "API key of SendGrid" },
  { value: "postmark", label: "Postmark", key: "Server token of Postmark" },
  { value: "resend", label: "Resend", key: "API key of Resend" },
  { value: "mailgun", label: "Mailgun", key: "SMTP password of Mailgun, or login:password" },
  { value: "ses", label: "Amazon SES", key: "SMTP credentials of SES as user:password, or region:user:password" },
  { value: "smtp", label: "A mail server of your own", key: "Address such as smtps://user:password@mail.example.com" },
];

export function toForm({ useEmailService, emailServiceConfig }: EmailConfig): EmailForm {
  const { type, fromEmail, fromCompany, triggers = {} } = emailServiceConfig;
  const known = Object.fromEntries(Object.keys(TRIGGERS).map((name) => [name, false]));
  return { isOn: useEmailService, type, fromEmail, fromCompany, apiKey: "", triggers: { ...known, ...triggers } };
}

/** The change that makes the form true: the key only where a new one was typed. */
export function toUpdate({ isOn, apiKey, ...settings }: EmailForm): object {
  return { useEmailService: isOn, emailServiceConfig: { ...settings, ...(apiKey !== "" && { apiKey }) } };
}
