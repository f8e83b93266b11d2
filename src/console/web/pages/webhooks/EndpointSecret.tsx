import { Stack, Text } from "@mantine/core";
import { useApiQuery } from "../../api/use-api.ts";
import { Code } from "../../components/Code.tsx";
import { ConfirmButton } from "../../components/ConfirmButton.tsx";
import { ErrorMessage } from "../../components/ErrorMessage.tsx";
import { FormDialog } from "../../components/FormDialog.tsx";
import type { Endpoint } from "./endpoint-form.ts";

/** A dialog that shows the secret of an endpoint, where it can be rotated. */
export function EndpointSecret({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  return (
    <FormDialog title="Signing secret" isOpen onClose={onClose}>
      <Secret endpointId={endpoint.id} />
    </FormDialog>
  );
}

function Secret({ endpointId }: { endpointId: string }) {
  const { query, error } = useApiQuery("/v2/workspace/advancedwebhook/endpoints/secret/get", { endpointId });
  return (
    <Stack gap="sm">
      {error && <ErrorMessage error={error} onRetry={() => void query.refetch()} />}
      {query.data && <Code label="Secret" text={query.data.data.secret} />}
      <Text size="sm">Verify the header webhook-signature with it, as Standard Webhooks describes.</Text>
      <div>
        <ConfirmButton
          label="Rotate…"
          target="secret"
          title="Rotate the secret?"
          action="Rotate"
          request={{ path: "/v2/workspace/advancedwebhook/endpoints/secret/rotate", data: { endpointId } }}
        >
          <Text size="sm">
            Events are signed with the new and the current secret for 24 hours, then with the new one.
          </Text>
        </ConfirmButton>
      </div>
    </Stack>
  );
}
