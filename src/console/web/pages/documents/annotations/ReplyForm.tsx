import { Checkbox, Group, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fieldIssues } from "../../../api/field-issues.ts";
import type { CommentAnnotation } from "../../../api/records.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { PendingButton } from "../../../components/PendingButton.tsx";
import { UserField, useKnownUsers, useUserLookUp } from "../../../components/UserField.tsx";
import { useInvalidFieldFocus } from "../../../components/use-invalid-field-focus.ts";
import { AFFECTED_READS } from "./affected-reads.ts";
import { getParticipants } from "./participants.ts";

const TEXT = "data.commentData[0].commentText";
const AUTHOR = "data.commentData[0].from.userId";

interface Draft {
  commentText: string;
  userId: string;
}

/** Unsent replies by thread, which are kept when the drawer is closed. */
const drafts = new Map<string, Draft>();

/** A form that adds a comment in the name of a user. No user is chosen at first, since the console has none. */
export function ReplyForm({ annotation }: { annotation: CommentAnnotation }) {
  const { annotationId, metadata } = annotation;
  const { organizationId, documentId } = metadata;
  const thread = JSON.stringify([organizationId, documentId, annotationId]);
  const [draft, setDraft] = useState(() => drafts.get(thread) ?? { commentText: "", userId: "" });
  const { commentText, userId } = draft;
  const [triggerNotification, setNotification] = useState(true);
  const users = useKnownUsers(organizationId, userId, getParticipants(annotation));
  const { lookUp, getWarning, ...looking } = useUserLookUp(organizationId, users);
  const { mutateAsync, reset, ...adding } = useApiMutation("/v2/commentannotations/comments/add", {
    affects: AFFECTED_READS,
  });
  const isPending = looking.isPending || adding.isPending;
  const error = looking.error ?? adding.error;
  const { at, rest } = fieldIssues(error, [TEXT, AUTHOR]);
  const form = useInvalidFieldFocus(error);
  const author = userId.trim();
  const isReady = commentText.trim() !== "" && author !== "";
  function write(next: Draft): void {
    drafts.set(thread, next);
    setDraft(next);
  }
  function change(changes: Partial<Draft>): void {
    write({ ...draft, ...changes });
    reset();
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isReady || isPending) return;
    try {
      const from = await lookUp(author);
      if (!from) return;
      const commentData = [{ commentText, from, triggerNotification }];
      await mutateAsync({ organizationId, documentId, annotationId, commentData });
      write({ commentText: "", userId });
    } catch {
      // The form shows the error.
    }
  }
  return (
    <form onSubmit={submit} ref={form}>
      <Stack gap="sm">
        <Textarea
          label="Reply"
          autosize
          minRows={2}
          maxRows={10}
          value={commentText}
          error={at(TEXT)}
          onChange={(event) => change({ commentText: event.currentTarget.value })}
        />
        <UserField
          label="Reply as"
          description="The reply appears under this user's name"
          users={users}
          value={userId}
          error={at(AUTHOR) ?? getWarning(author)}
          onChange={(id) => change({ userId: id })}
        />
        <Checkbox
          label="Notify the participants"
          checked={triggerNotification}
          onChange={(event) => setNotification(event.currentTarget.checked)}
        />
        {rest && <ErrorMessage error={rest} />}
        <Group justify="flex-end">
          <PendingButton type="submit" loading={isPending} disabled={!isReady}>
            Add reply
          </PendingButton>
        </Group>
      </Stack>
    </form>
  );
}
