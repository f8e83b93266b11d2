import { Checkbox, Group, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fieldIssues } from "../../../api/field-issues.ts";
import type { CommentAnnotation } from "../../../api/records.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { PendingButton } from "../../../components/PendingButton.tsx";
import { useInvalidFieldFocus } from "../../../components/use-invalid-field-focus.ts";
import { UserField, useKnownUsers } from "./UserField.tsx";

const TEXT = "data.commentData[0].commentText";
const AUTHOR = "data.commentData[0].from.userId";

/** A form that adds a comment in the name of a user. No user is chosen at first, since the console has none. */
export function ReplyForm({ annotation }: { annotation: CommentAnnotation }) {
  const [commentText, setText] = useState("");
  const [userId, setUserId] = useState("");
  const [triggerNotification, setNotification] = useState(true);
  const { organizationId, documentId } = annotation.metadata;
  const users = useKnownUsers(annotation);
  const { mutate, isPending, error, reset } = useApiMutation("/v2/commentannotations/comments/add");
  const { at, rest } = fieldIssues(error, [TEXT, AUTHOR]);
  const form = useInvalidFieldFocus(error);
  const author = userId.trim();
  const isReady = commentText.trim() !== "" && author !== "";
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isReady || isPending) return;
    const from = users.get(author) ?? { userId: author };
    const { annotationId } = annotation;
    const commentData = [{ commentText, from, triggerNotification }];
    mutate({ organizationId, documentId, annotationId, commentData }, { onSuccess: () => setText("") });
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
          onChange={(event) => {
            setText(event.currentTarget.value);
            reset();
          }}
        />
        <UserField
          label="Reply as"
          description="The reply appears under this user's name"
          users={users}
          value={userId}
          error={at(AUTHOR)}
          onChange={(id) => {
            setUserId(id);
            reset();
          }}
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
