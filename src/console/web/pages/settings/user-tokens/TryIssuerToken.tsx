import { Paper, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { post } from "../../../api/call.ts";
import { useWorkspace } from "../../../api/workspace.ts";
import { ErrorMessage } from "../../../components/ErrorMessage.tsx";
import { PendingButton } from "../../../components/PendingButton.tsx";
import { UntrustedText } from "../../../components/UntrustedText.tsx";

const PATH = "/v2/organizations/documents/get";

interface Trial {
  token: string;
  organizationId: string;
}

/** Sends a request with a token as a page does, and shows whether it is accepted, or why not. */
export function TryIssuerToken() {
  const { apiKey } = useWorkspace();
  const [token, setToken] = useState("");
  const [organizationId, setOrganizationId] = useState("");
  const { mutate, data, variables, error, isPending, reset } = useMutation({
    mutationFn: (trial: Trial) => countDocuments(apiKey, trial),
  });
  const id = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate({ token: token.trim(), organizationId: organizationId.trim() });
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Title order={2} size="h5" id={id} mb="sm">
        Try a token
      </Title>
      <form onSubmit={submit}>
        <Stack gap="sm" maw="46rem" align="flex-start">
          <Text size="sm">
            Lists the documents of an organization with a token, as a page of your product would, by the saved settings.
          </Text>
          <Textarea
            label="Token"
            required
            withAsterisk={false}
            autosize
            minRows={2}
            maxRows={6}
            w="100%"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => {
              setToken(event.currentTarget.value);
              reset();
            }}
          />
          <TextInput
            label="Organization ID"
            placeholder="acme"
            required
            withAsterisk={false}
            autoComplete="off"
            value={organizationId}
            onChange={(event) => {
              setOrganizationId(event.currentTarget.value);
              reset();
            }}
          />
          <PendingButton type="submit" variant="default" loading={isPending}>
            Try token
          </PendingButton>
          {error && <ErrorMessage error={error} />}
          {data !== undefined && variables && (
            <Text size="sm" role="status">
              The token is accepted. Its user can read {data} in{" "}
              <UntrustedText>{variables.organizationId}</UntrustedText>.
            </Text>
          )}
        </Stack>
      </form>
    </Paper>
  );
}

/** Returns how many documents the user can read, in words. */
async function countDocuments(apiKey: string, { token, organizationId }: Trial): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "x-service-api-key": apiKey };
  const response = await post(PATH, { data: { organizationId, pageSize: 100 } }, headers);
  const { result } = await response.json();
  const { length } = result.data;
  if (result.pageToken !== undefined) return `more than ${length} documents`;
  return length === 1 ? "1 document" : `${length} documents`;
}
