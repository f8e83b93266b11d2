import { textOf } from "../../components/message.ts";

const PLACEHOLDER = /\{\s*([^{}]+?)\s*\}/g;

interface Headline {
  actionUser: object;
  displayHeadlineMessageTemplate?: string | null;
  displayHeadlineMessageTemplateData?: object | null;
}

/** Puts data in place of `{name}`, and who did it in place of `{actionUser}`. What has no data stays as it is. */
export function headlineOf({
  actionUser,
  displayHeadlineMessageTemplate,
  displayHeadlineMessageTemplateData,
}: Headline): string {
  const values = new Map<string, unknown>(Object.entries({ actionUser, ...displayHeadlineMessageTemplateData }));
  return (displayHeadlineMessageTemplate ?? "").replaceAll(PLACEHOLDER, (placeholder, name: string) =>
    values.has(name) ? textOf(values.get(name)) : placeholder,
  );
}
