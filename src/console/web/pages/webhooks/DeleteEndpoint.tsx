import { Text } from "@mantine/core";
import { useApiMutation } from "../../api/use-api.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { UntrustedText } from "../../components/UntrustedText.tsx";
import type { Endpoint } from "./endpoint-form.ts";

/** Asks for confirmation and deletes an endpoint. */
export function DeleteEndpoint({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { mutate, isPending, error } = useApiMutation("/v2/workspace/advancedwebhook/endpoints/delete");
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      action="Delete permanently"
      isOpen
      isRunning={isPending}
      error={error}
      onConfirm={() => mutate({ endpointId: endpoint.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">
        <UntrustedText>{endpoint.url}</UntrustedText> receives no further events. Its secret is deleted, too.
      </Text>
    </ConfirmDialog>
  );
}
