import { Autocomplete, Button, Checkbox, Group, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { fieldIssues } from "../../../api/field-issues.ts";
import type { CommentAnnotation } from "../../../api/records.ts";
import { useApiMutation, useApiQuery } from "../../../api/use-api.ts";
import { userLabel } from "../../../components/display-text.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";
import { useInvalidFieldFocus } from "../../../components/use-invalid-field-focus.ts";

const TEXT = "data.commentData[0].commentText";
const AUTHOR = "data.commentData[0].from.userId";
const OFFERED_USERS = 50;

interface Author {
  userId: string;
  name?: string;
  email?: string;
}

/** A form that adds a comment in the name of a user. No user is chosen at first, since the console has none. */
export function ReplyForm({ annotation }: { annotation: CommentAnnotation }) {
  const [commentText, setText] = useState("");
  const [userId, setUserId] = useState("");
  const [triggerNotification, setNotification] = useState(true);
  const { organizationId, documentId } = annotation.metadata;
  const authors = useAuthors(annotation);
  const { mutate, isPending, error, reset } = useApiMutation("/v2/commentannotations/comments/add");
  const { at, rest } = fieldIssues(error, [TEXT, AUTHOR]);
  const form = useInvalidFieldFocus(error);
  const author = userId.trim();
  const isReady = commentText.trim() !== "" && author !== "";
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isReady || isPending) return;
    const from = authors.get(author) ?? { userId: author };
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
        <Autocomplete
          label="Author"
          description="The comment is stored in this user's name"
          placeholder="User ID"
          data={[...authors.keys()]}
          limit={20}
          filter={({ options, search, limit }) =>
            options.filter((option) => "value" in option && isMatch(authors.get(option.value), search)).slice(0, limit)
          }
          renderOption={({ option }) => <AuthorOption author={authors.get(option.value)} />}
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
          <Button type="submit" loading={isPending} disabled={!isReady}>
            Add reply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns the users to offer as author, by ID: those of the annotation, then the first of the organization. */
function useAuthors({ comments, assignedTo, metadata }: CommentAnnotation): Map<string, Author> {
  const { organizationId } = metadata;
  const { query } = useApiQuery("/v2/users/get", { organizationId, pageSize: OFFERED_USERS });
  const users = Array.isArray(query.data?.data) ? query.data.data : [];
  const participants: Author[] = [...comments.map(({ from }) => from), ...(assignedTo ? [assignedTo] : [])];
  const authors = new Map<string, Author>();
  for (const { userId, name, email } of [...participants, ...users]) {
    if (!authors.has(userId)) authors.set(userId, { userId, ...(name && { name }), ...(email && { email }) });
  }
  return authors;
}

function isMatch(author: Author | undefined, search: string): boolean {
  if (!author) return false;
  const texts = [author.userId, author.name ?? "", author.email ?? ""];
  return texts.some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));
}

function AuthorOption({ author }: { author: Author | undefined }) {
  if (!author) return null;
  const label = userLabel(author);
  return (
    <span>
      <UntrustedText>{label}</UntrustedText>
      {label !== author.userId && (
        <>
          {" "}
          (<UntrustedText>{author.userId}</UntrustedText>)
        </>
      )}
    </span>
  );
}
