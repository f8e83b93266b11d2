import Type, { type Static } from "typebox";
import type { Cipher } from "../../../config/cipher.ts";
import { invalidField, ServiceError } from "../../../contract/errors.ts";
import { isEmailAddress, type Mailbox } from "../../../email/address.ts";
import type { Mailer } from "../../../email/mailer.ts";
import { PROVIDERS, ProviderError, type SmtpConnection, smtpConnection } from "../../../email/providers.ts";
import { Switches } from "../switches.ts";

export interface EmailConfigRow {
  /** JSON text. */
  settings: string;
  /** Encrypted API key of the provider. */
  apiKey: Buffer | null;
}

const Line = (maxLength: number, description: string) =>
  Type.Refine(
    Type.String({ maxLength, description }),
    (text) => !/\p{Cc}/u.test(text) && text.isWellFormed(),
    () => "must have no control characters",
  );

const Address = Type.Refine(
  Type.String({ description: "Sender address. Empty if none is set." }),
  (text) => text === "" || isEmailAddress(text),
  () => "must be an email address, such as notices@example.com",
);

const settings = {
  type: Type.Enum(PROVIDERS, { description: "Provider. `default` is the mail server of the service." }),
  fromEmail: Address,
  fromCompany: Line(256, "Sender display name."),
  commentTemplateId: Line(256, "Stored for the caller and not used."),
  tagTemplateId: Line(256, "Stored for the caller and not used."),
  triggers: Switches,
};
const apiKey = Line(4096, "Secret API key of the provider. Empty if none is set.");

export const EmailServiceConfigUpdate = Type.Partial(Type.Object({ apiKey, ...settings }));
export type EmailServiceConfigUpdate = Static<typeof EmailServiceConfigUpdate>;

const { triggers, ...always } = settings;
export const EmailConfig = Type.Object(
  {
    useEmailService: Type.Boolean(),
    emailServiceConfig: Type.Object({ apiKey, ...always, triggers: Type.Optional(triggers) }),
  },
  {
    title: "EmailConfig",
    examples: [
      {
        useEmailService: true,
        emailServiceConfig: {
          type: "sendgrid",
          apiKey: "SG.example",
          fromEmail: "notices@example.com",
          fromCompany: "Acme",
          commentTemplateId: "",
          tagTemplateId: "",
          triggers: { "comment_annotation.add": true, "comment.add": false },
        },
      },
    ],
  },
);

/** The stored settings, without the provider's API key. */
const Settings = Type.Object({ useEmailService: Type.Boolean(), ...settings });
export type Settings = Static<typeof Settings>;

const BEFORE_ANY_UPDATE: Settings = {
  useEmailService: false,
  type: "default",
  fromEmail: "",
  fromCompany: "",
  commentTemplateId: "",
  tagTemplateId: "",
  triggers: {},
};

/** Returns the names of the enabled triggers, none while the email service is off. `settings` is JSON text. */
export function getEmailTriggers(settings: string | null): string[] {
  const { useEmailService, triggers } = parseSettings(settings === null ? undefined : { settings });
  return useEmailService ? Object.keys(triggers).filter((name) => triggers[name] === true) : [];
}

export function parseSettings(row: Pick<EmailConfigRow, "settings"> | undefined): Settings {
  return { ...BEFORE_ANY_UPDATE, ...(row && JSON.parse(row.settings)) };
}

/** Returns whether a workspace has named a provider, with what is needed to send by it. */
export function hasProvider(row: EmailConfigRow | undefined): boolean {
  const { type, fromEmail } = parseSettings(row);
  return type !== "default" && fromEmail !== "" && row?.apiKey != null;
}

/** Returns the provider's connection; undefined for the server's own. Throws INVALID_ARGUMENT if a part is missing. */
export function getConnection(settings: Settings, apiKey: string): SmtpConnection | undefined {
  try {
    return smtpConnection({ ...settings, apiKey });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw invalidField(`data.emailServiceConfig.${error.setting}`, error.message);
  }
}

/** Returns how the workspace sends mails; undefined while its email service is off. Throws like decryptKey. */
export function getSending(
  secrets: Cipher,
  workspaceId: string,
  row: EmailConfigRow | undefined,
): { settings: Settings; provider: SmtpConnection | undefined } | undefined {
  const settings = parseSettings(row);
  if (!settings.useEmailService) return undefined;
  const apiKey = settings.type === "default" ? "" : decryptKey(secrets, workspaceId, row);
  return { settings, provider: getConnection(settings, apiKey) };
}

/** Returns the sender; the server's values replace those the workspace leaves empty. */
export function getSender({ sender }: Pick<Mailer, "sender">, { fromCompany, fromEmail }: Settings): Mailbox {
  return { name: fromCompany || sender.name, address: fromEmail || sender.address };
}

export function encryptKey(secrets: Cipher, workspaceId: string, apiKey: string): Buffer | null {
  return apiKey === "" ? null : secrets.encrypt(apiKey, getProviderKey(workspaceId));
}

/** Decrypts the key; returns "" if there is none. Throws FAILED_PRECONDITION if SECRET_KEY has changed since. */
export function decryptKey(secrets: Cipher, workspaceId: string, row: EmailConfigRow | undefined): string {
  if (!row?.apiKey) return "";
  try {
    return secrets.decrypt(row.apiKey, getProviderKey(workspaceId));
  } catch {
    throw new ServiceError(
      "secret_unreadable",
      "The stored provider key cannot be read, as the server's SECRET_KEY has changed since; set " +
        "emailServiceConfig.apiKey again with /v2/workspace/emailconfig/update.",
    );
  }
}

/** Returns the associated data that binds the encrypted bytes to the workspace's row. */
export function getProviderKey(workspaceId: string): string {
  return `email provider key of workspace ${workspaceId}`;
}
