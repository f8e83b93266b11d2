import { displayText } from "../../components/display-text.ts";

const PLACEHOLDER = /\{\s*([^{}]+?)\s*\}/g;

interface Headline {
  actionUser: object;
  displayHeadlineMessageTemplate?: string | null;
  displayHeadlineMessageTemplateData?: object | null;
}

interface Body {
  actionUser: object;
  displayBodyMessage?: string | null;
  displayBodyMessageTemplate?: string | null;
  displayBodyMessageTemplateData?: object | null;
}

/**
 * Returns the headline with its `{name}` placeholders filled in. Without data of that name, `{actionUser}` is the user
 * who acted and `{recipientUser}` the recipient, if known. Keeps all other placeholders.
 */
export function headlineOf(
  { actionUser, displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData }: Headline,
  recipientId?: string,
): string {
  const users = usersOf(actionUser, recipientId);
  return filledIn(displayHeadlineMessageTemplate ?? "", { ...users, ...displayHeadlineMessageTemplateData });
}

/** Returns the body: its template, filled in like a headline, or else the message as sent. */
export function bodyOf(
  { actionUser, displayBodyMessage, displayBodyMessageTemplate, displayBodyMessageTemplateData }: Body,
  recipientId?: string,
): string {
  if (!displayBodyMessageTemplate) return displayBodyMessage ?? "";
  return filledIn(displayBodyMessageTemplate, {
    ...usersOf(actionUser, recipientId),
    ...displayBodyMessageTemplateData,
  });
}

function usersOf(actionUser: object, recipientId: string | undefined): object {
  return { actionUser, ...(recipientId !== undefined && { recipientUser: recipientId }) };
}

function filledIn(template: string, data: object): string {
  const values = new Map<string, unknown>(Object.entries(data));
  return template.replaceAll(PLACEHOLDER, (placeholder, name: string) =>
    values.has(name) ? displayText(values.get(name)) : placeholder,
  );
}
