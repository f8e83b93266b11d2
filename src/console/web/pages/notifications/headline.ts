import { displayText } from "../../components/display-text.ts";

const PLACEHOLDER = /\{\s*([^{}]+?)\s*\}/g;

interface Headline {
  actionUser: object;
  displayHeadlineMessageTemplate?: string | null;
  displayHeadlineMessageTemplateData?: object | null;
}

/**
 * Returns the headline with its `{name}` placeholders filled in. Without data of that name, `{actionUser}` is the user
 * who acted and `{recipientUser}` the recipient, if known. Keeps all other placeholders.
 */
export function headlineOf(
  { actionUser, displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData }: Headline,
  recipientId?: string,
): string {
  const users = { actionUser, ...(recipientId !== undefined && { recipientUser: recipientId }) };
  const values = new Map<string, unknown>(Object.entries({ ...users, ...displayHeadlineMessageTemplateData }));
  return (displayHeadlineMessageTemplate ?? "").replaceAll(PLACEHOLDER, (placeholder, name: string) =>
    values.has(name) ? displayText(values.get(name)) : placeholder,
  );
}
