import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { RequestData } from "../api/call.ts";
import { useApiMutation } from "../api/use-api.ts";
import { ConfirmDialog } from "./ConfirmDialog.tsx";
import { onlyItemError, useOnlyItemError } from "./item-error.ts";

/** Operations that disable or enable one item of a list. */
type DisablePath =
  | "/v2/organizations/access/disablestate/update"
  | "/v2/organizations/documents/access/disablestate/update";

interface DisableDialogProps<P extends DisablePath> {
  /** Name of the organization or document. */
  name: string;
  isDisabled: boolean;
  path: P;
  buildRequest: (disabled: boolean) => RequestData<P>;
  isOpen: boolean;
  onClose: () => void;
  /** What disabling it means. */
  children: ReactNode;
}

/** Asks for confirmation and disables or enables an organization or document. */
export function DisableDialog<P extends DisablePath>(props: DisableDialogProps<P>) {
  const { name, isDisabled, path, buildRequest, isOpen, onClose, children } = props;
  const action = isDisabled ? "Enable" : "Disable";
  const { mutate, isPending, data, error } = useApiMutation(path);
  const itemError = useOnlyItemError(data?.data);
  return (
    <ConfirmDialog
      title={`${action} ${name}?`}
      action={action}
      isOpen={isOpen}
      isRunning={isPending}
      error={error ?? itemError}
      onConfirm={() =>
        mutate(buildRequest(!isDisabled), { onSuccess: (response) => onlyItemError(response.data) ?? onClose() })
      }
      onClose={onClose}
    >
      {isDisabled ? (
        <Text size="sm">Data can be read and changed again, effective immediately. Nothing was deleted.</Text>
      ) : (
        children
      )}
    </ConfirmDialog>
  );
}
