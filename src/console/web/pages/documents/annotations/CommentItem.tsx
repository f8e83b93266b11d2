import { Text } from "@mantine/core";
import type { Comment } from "../../../api/records.ts";
import { AttachmentLink } from "../../../components/AttachmentLink.tsx";
import { nameOrId, userLabel } from "../../../components/display-text.ts";
import { Time } from "../../../components/Time.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { UserLink } from "../../../components/UserLink.tsx";
import { WithAvatar } from "../../../components/WithAvatar.tsx";

/** Returns the text of a comment. One with HTML only shows its source, which is never rendered. */
export function commentText({ commentText, commentHtml }: Comment): string {
  return commentText || commentHtml || "(no text)";
}

/** A comment with its author, reactions and attachments. */
export function CommentItem({ organizationId, comment }: { organizationId: string; comment: Comment }) {
  const { from, agent, createdAt, status, attachments, reactionAnnotations } = comment;
  return (
    <WithAvatar kind="user" id={from.userId} name={userLabel(from)}>
      <Text size="xs" c="dimmed" component="div" className="details">
        <UserLink organizationId={organizationId} user={from} />
        {agent && (
          <span>
            by agent{" "}
            <UntrustedText>{nameOrId(agent.agentName, nameOrId(agent.agentId, "without a name"))}</UntrustedText>
          </span>
        )}
        <Time at={createdAt} />
        {status === "updated" && <span>edited</span>}
      </Text>
      <Text size="sm" className="comment-text">
        <UntrustedText>{commentText(comment)}</UntrustedText>
      </Text>
      {attachments.length > 0 && (
        <Text size="sm" component="ul" className="attachments" aria-label="Attachments">
          {attachments.map((attachment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: Attachments are free-form objects without an ID.
            <li key={index}>
              <AttachmentLink attachment={getFile(attachment)} />
            </li>
          ))}
        </Text>
      )}
      {reactionAnnotations.length > 0 && (
        <Text size="xs" c="dimmed" component="ul" className="reactions" aria-label="Reactions">
          {reactionAnnotations.map(({ annotationId, icon, fromUsers }) => (
            <li key={annotationId}>
              <UntrustedText>{`${icon} ${fromUsers.map((one) => userLabel(one.from)).join(", ")}`}</UntrustedText>
            </li>
          ))}
        </Text>
      )}
    </WithAvatar>
  );
}

/** Returns the text fields of a free-form attachment that describe its file. */
function getFile(attachment: object) {
  function textAt(name: string): string {
    const value: unknown = Reflect.get(attachment, name);
    return typeof value === "string" ? value : "";
  }
  return { url: textAt("url"), name: textAt("name"), mimeType: textAt("mimeType") };
}
