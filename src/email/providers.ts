import wellKnown from "nodemailer/lib/well-known";

export const PROVIDERS = ["default", "sendgrid", "postmark", "resend", "mailgun", "ses", "smtp"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ProviderSettings {
  type: Provider;
  apiKey: string;
  fromEmail: string;
}

/** Options of a nodemailer transport. */
export interface SmtpConnection {
  host: string;
  port: number;
  /** Whether the connection starts with TLS. */
  secure: boolean;
  /** Whether STARTTLS is required before anything is sent. */
  requireTLS: boolean;
  auth?: { user: string; pass: string };
}

/** Error in a setting of a provider. The message says what the setting must be, and never contains the key. */
export class ProviderError extends Error {
  readonly setting: "apiKey" | "fromEmail";

  constructor(setting: ProviderError["setting"], message: string) {
    super(message);
    this.setting = setting;
  }
}

/**
 * Returns the SMTP connection of the provider, or undefined for `default`, which is the service's own server. Throws a
 * ProviderError if a setting is missing or wrong.
 */
export function smtpConnection({ type, apiKey, fromEmail }: ProviderSettings): SmtpConnection | undefined {
  if (type === "default") return undefined;
  if (apiKey === "") throw new ProviderError("apiKey", `is required to use ${type}`);
  if (fromEmail === "") throw new ProviderError("fromEmail", `is required to use ${type}`);
  switch (type) {
    case "sendgrid":
      return connectionTo("SendGrid", { user: "apikey", pass: apiKey });
    case "postmark":
      return connectionTo("Postmark", { user: apiKey, pass: apiKey });
    case "resend":
      return connectionTo("Resend", { user: "resend", pass: apiKey });
    case "mailgun":
      return connectionTo("Mailgun", mailgunLogin(apiKey, fromEmail));
    case "ses":
      return sesConnection(apiKey);
    case "smtp":
      return urlConnection(apiKey);
  }
}

/** Returns the login for Mailgun. A password alone belongs to the login that Mailgun creates for every domain. */
function mailgunLogin(apiKey: string, fromEmail: string): { user: string; pass: string } {
  const colon = apiKey.indexOf(":");
  return colon > 0
    ? { user: apiKey.slice(0, colon), pass: apiKey.slice(colon + 1) }
    : { user: `postmaster@${fromEmail.slice(fromEmail.lastIndexOf("@") + 1)}`, pass: apiKey };
}

function sesConnection(apiKey: string): SmtpConnection {
  const [pass, user, region = "us-east-1", ...more] = apiKey.split(":").reverse();
  const service = /^[a-z]{2}(-[a-z]+)+-\d$/.test(region) ? wellKnown(`SES-${region}`) : false;
  if (!pass || !user || !service || more.length > 0) {
    throw new ProviderError(
      "apiKey",
      'must be the SMTP user name and password of SES as "user:password", or "region:user:password" with ' +
        "a region such as eu-west-1",
    );
  }
  return connectionTo(`SES-${region}`, { user, pass });
}

/** Takes only server and login from the URL, since nodemailer would read any of its options from the query. */
function urlConnection(apiKey: string): SmtpConnection {
  const url = URL.parse(apiKey);
  const host = url && /^([a-z\d.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) ? url.hostname : undefined;
  const isBare = url && /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "";
  const login = url && getLogin(url);
  if (!url || !host || !isBare || !login || !/^smtps?:$/.test(url.protocol)) {
    throw new ProviderError("apiKey", 'must be an address like "smtps://user:password@mail.example.com:465"');
  }
  const secure = url.protocol === "smtps:";
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: false,
    ...(login.user !== "" && { auth: login }),
  };
}

/** Returns undefined if the percent-encoding is malformed. */
function getLogin(url: URL): { user: string; pass: string } | undefined {
  try {
    return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  } catch {
    return undefined;
  }
}

function connectionTo(name: string, auth: { user: string; pass: string }): SmtpConnection {
  const service = wellKnown(name);
  if (!service || service.host === undefined) throw new Error(`nodemailer no longer knows ${name}`);
  const secure = service.secure === true;
  return { host: service.host, port: Number(service.port), secure, requireTLS: !secure, auth };
}
