import { MESSAGES } from "../../src/features/comments/triggers/messages.ts";

/** Returns the table of the messages that the service writes, with the placeholders of each. */
export function messagesTable(): string {
  const rows = Object.entries(MESSAGES).map(([key, template]) => {
    const placeholders = [...template.matchAll(/\w+(?=\})/g)].map(([name]) => `\`${name}\``);
    return `| \`${key}\` | \`${template}\` | ${placeholders.join(", ")} |`;
  });
  return ["| `messageKey` | template | placeholders |", "| --- | --- | --- |", ...rows].join("\n");
}
