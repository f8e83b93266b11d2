import { displayText } from "../../components/display-text.ts";

const PLACEHOLDER = /\{\s*([^{}]+?)\s*\}/g;

interface Headline {
  actionUser: object;
  displayHeadlineMessageTemplate?: string | null;
  displayHeadlineMessageTemplateData?: object | null;
}

/**
 * Puts data in place of `{name}`; without data, who did it in place of `{actionUser}` and, where one is meant, who
 * reads it in place of `{recipientUser}`. Anything else stays as it is.
 */
export function headlineOf(
  { actionUser, displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData }: Headline,
  recipientId?: string,
): string {
  const people = { actionUser, ...(recipientId !== undefined && { recipientUser: recipientId }) };
  const values = new Map<string, unknown>(Object.entries({ ...people, ...displayHeadlineMessageTemplateData }));
  return (displayHeadlineMessageTemplate ?? "").replaceAll(PLACEHOLDER, (placeholder, name: string) =>
    values.has(name) ? displayText(values.get(name)) : placeholder,
  );
}
