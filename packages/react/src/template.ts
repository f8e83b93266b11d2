import type { Activity } from "@colloquy/client";

/** What a template belongs to. */
type TemplateKind = "activity" | "notification";

/** Placeholders of templates, which the console fills the same way: `{{name}}` in activities, `{name}` otherwise. */
const PLACEHOLDERS: Record<TemplateKind, RegExp> = { activity: /\{\{([^{}]+)\}\}/g, notification: /\{([^{}]+)\}/g };

/** Returns a template with its placeholders filled in, showing objects by name. Keeps placeholders without a value. */
export function fillTemplate(kind: TemplateKind, template: string, data: object): string {
  const values = new Map<string, unknown>(Object.entries(data));
  return template.replaceAll(PLACEHOLDERS[kind], (placeholder, spaced: string) => {
    const name = spaced.trim();
    return values.has(name) ? getText(values.get(name)) : placeholder;
  });
}

/** Returns the text to show for a value: an object's name if it has one, else JSON. */
function getText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return String(value);
  for (const field of ["name", "displayName", "text", "email", "userId", "id"]) {
    const text: unknown = Reflect.get(value, field);
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return JSON.stringify(value);
}

type MessageFields = Pick<
  Activity,
  "displayMessageTemplate" | "displayMessageTemplateData" | "messageKey" | "actionUser" | "actionType"
>;

/** Returns the message of an activity: its template with the user and data filled in, or the user and the action. */
export function getMessage(
  { displayMessageTemplate, displayMessageTemplateData, messageKey, actionUser, actionType }: MessageFields,
  texts: NameTexts & MessageTexts,
): string {
  const template = chooseTemplate(displayMessageTemplate, messageKey, texts);
  if (!template) return `${getName(actionUser, texts)}: ${actionType}`;
  return fillTemplate("activity", template, { actionUser, ...displayMessageTemplateData });
}

/** The texts that replace templates of records. */
interface MessageTexts {
  messages: Readonly<Record<string, string>>;
}

/** Returns the text of the page for the key of a record, or the template of the record if it has none. */
export function chooseTemplate<Template>(
  template: Template,
  messageKey: string | null | undefined,
  { messages }: MessageTexts,
): Template | string | undefined {
  return messageKey && Object.hasOwn(messages, messageKey) ? messages[messageKey] : template;
}

/** The texts that names of users need. */
interface NameTexts {
  deletedUser: string;
}

/** Returns the name to show for a user. */
export function getName(
  user: { userId: string; name?: string | undefined } | undefined,
  { deletedUser }: NameTexts,
): string {
  return user?.name || user?.userId || deletedUser;
}

/** Returns the address of the photo of a user, if the record has one. */
export function getPhotoUrl(user: object | undefined): string | undefined {
  const photoUrl: unknown = user && Reflect.get(user, "photoUrl");
  return typeof photoUrl === "string" ? photoUrl : undefined;
}
