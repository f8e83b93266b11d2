import { fillTemplate } from "../../components/display-text.ts";

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
export function getHeadline(
  { actionUser, displayHeadlineMessageTemplate, displayHeadlineMessageTemplateData }: Headline,
  recipientId?: string,
): string {
  const users = getUsers(actionUser, recipientId);
  const data = { ...users, ...displayHeadlineMessageTemplateData };
  return fillTemplate("notification", displayHeadlineMessageTemplate ?? "", data);
}

/** Returns the body: its template, filled in like a headline, or else the message as sent. */
export function buildBody(
  { actionUser, displayBodyMessage, displayBodyMessageTemplate, displayBodyMessageTemplateData }: Body,
  recipientId?: string,
): string {
  if (!displayBodyMessageTemplate) return displayBodyMessage ?? "";
  return fillTemplate("notification", displayBodyMessageTemplate, {
    ...getUsers(actionUser, recipientId),
    ...displayBodyMessageTemplateData,
  });
}

function getUsers(actionUser: object, recipientId: string | undefined): object {
  return { actionUser, ...(recipientId !== undefined && { recipientUser: recipientId }) };
}
