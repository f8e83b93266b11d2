import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useId, useRef } from "react";
import { fieldIssues } from "../../../api/field-issues.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { DurationInput } from "../../../components/DurationInput.tsx";
import { toSeconds } from "../../../components/duration.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { PendingButton } from "../../../components/PendingButton.tsx";
import { RevokeUserTokens } from "../../../components/RevokeUserTokens.tsx";
import { useInvalidFieldFocus } from "../../../components/use-invalid-field-focus.ts";
import type { Generated } from "./GeneratedToken.tsx";
import { ResourceFields } from "./ResourceFields.tsx";
import {
  emptyResource,
  fieldPaths,
  getTrial,
  PATH,
  resourcePath,
  type TokenForm as State,
  toRequest,
} from "./token-form.ts";

interface TokenFormProps {
  form: State;
  onChange: (form: State) => void;
  onGenerated: (generated: Generated) => void;
  onRevoked: (userId: string) => void;
}

/** The user, lifetime and resources of a user token. */
export function TokenForm({ form, onChange, onGenerated, onRevoked }: TokenFormProps) {
  const { mutate, isPending, error, reset } = useApiMutation(PATH);
  const ref = useInvalidFieldFocus(error);
  const { at, rest } = fieldIssues(error, fieldPaths(form));
  const id = useId();
  const userId = form.userId.trim();
  function set(changes: Partial<State>): void {
    onChange({ ...form, ...changes });
    reset();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    const request = toRequest(form);
    mutate(request, {
      onSuccess: ({ data: { token } }) => {
        const expiresAt = Date.now() + toSeconds(form.lifetime) * 1000;
        onGenerated({ userId, token, expiresAt, trial: getTrial(request), isRevoked: false });
      },
    });
  }
  return (
    <Stack gap="md">
      <form id={id} onSubmit={submit} ref={ref}>
        <Stack gap="md">
          <div className="form-fields">
            <TextInput
              label="User ID"
              description="As your backend sends it"
              placeholder="ada"
              required
              withAsterisk={false}
              autoComplete="off"
              value={form.userId}
              error={at("data.userId")}
              onChange={(event) => set({ userId: event.currentTarget.value })}
            />
            <TextInput
              label="Name"
              description="Optional"
              placeholder="Ada Lovelace"
              autoComplete="off"
              value={form.name}
              error={at("data.userProperties.name")}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <TextInput
              label="Email"
              description="Optional"
              placeholder="ada@example.com"
              inputMode="email"
              autoComplete="off"
              value={form.email}
              error={at("data.userProperties.email")}
              onChange={(event) => set({ email: event.currentTarget.value })}
            />
            <DurationInput
              label="Lifetime"
              description="60 seconds to 48 hours"
              value={form.lifetime}
              error={at("data.expiresInSeconds")}
              onChange={(lifetime) => set({ lifetime })}
            />
          </div>
          <Resources form={form} at={at} onChange={(resources) => set({ resources })} />
          {rest && <ErrorMessage error={rest} />}
        </Stack>
      </form>
      {/* The dialog of the second button has a form of its own, which cannot be in this one. */}
      <Group gap="sm" justify="space-between">
        <PendingButton type="submit" form={id} loading={isPending}>
          Generate token
        </PendingButton>
        <RevokeUserTokens key={userId} userId={userId} onDone={() => onRevoked(userId)} />
      </Group>
    </Stack>
  );
}

interface ResourcesProps {
  form: State;
  at: (path: string) => string | undefined;
  onChange: (resources: State["resources"]) => void;
}

function Resources({ form: { resources }, at, onChange }: ResourcesProps) {
  const addButton = useRef<HTMLButtonElement>(null);
  return (
    <Stack gap="md" align="flex-start">
      <Text size="sm" maw="46rem">
        A role is the most that the token allows: a lower stored permission of the user stays. Access to an organization
        or folder covers what is in it, except where access is restricted. An access context shows the annotations that
        require its field and value.
      </Text>
      {resources.map((resource, index) => (
        <ResourceFields
          key={resource.key}
          number={index + 1}
          resource={resource}
          at={(field) => at(resourcePath(index, field))}
          onChange={(changed) => onChange(resources.with(index, changed))}
          onRemove={
            resources.length === 1
              ? undefined
              : () => {
                  onChange(resources.toSpliced(index, 1));
                  addButton.current?.focus();
                }
          }
        />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        ref={addButton}
        onClick={() => onChange([...resources, emptyResource(Math.max(...resources.map(({ key }) => key)) + 1)])}
      >
        Add a resource
      </Button>
    </Stack>
  );
}
