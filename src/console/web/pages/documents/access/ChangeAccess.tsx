import { Radio, Stack } from "@mantine/core";
import { useState } from "react";
import type { ApiResponse, ResponseData } from "../../../api/call.ts";
import { useApiMutation } from "../../../api/use-api.ts";
import { ACCESS_TYPE_LABELS, ACCESS_TYPES, isAccessType } from "../../../components/access-type.ts";
import { DialogButton, DialogForm } from "../../../components/FormDialog.tsx";
import { itemError } from "../../../components/item-error.ts";
import { ACCESS_TYPE_MEANINGS, type Explanation, isSameResource, type Resource } from "./access.ts";

const INHERIT = "inherit";
type Results = ResponseData<"/v2/organizations/documents/access/update">;

interface ChangeAccessProps {
  resource: Resource;
  explanation: Explanation;
}

/** A button that sets the access type of a folder or document, or lets it inherit. */
export function ChangeAccess({ resource, explanation }: ChangeAccessProps) {
  return (
    <DialogButton label="Change…" variant="default" title={`Access to ${resource.label}`}>
      {(close) => <Form resource={resource} explanation={explanation} onClose={close} />}
    </DialogButton>
  );
}

function Form({ resource, explanation, onClose }: ChangeAccessProps & { onClose: () => void }) {
  const { type, organizationId, id } = resource;
  const current = isSameResource(resource, explanation.definedBy) ? explanation.accessType : INHERIT;
  const [chosen, setChosen] = useState<string>(current);
  const folders = useApiMutation("/v2/organizations/folders/access/update");
  const documents = useApiMutation("/v2/organizations/documents/access/update");
  const { isPending, error, data, reset } = type === "folder" ? folders : documents;
  const message = data && itemError(data.data[id]);
  function submit(): void {
    const access = isAccessType(chosen) ? { accessType: chosen } : { inheritFromParent: true };
    const options = {
      onSuccess: ({ data: results }: ApiResponse<Results>) => itemError(results[id]) === undefined && onClose(),
    };
    if (type === "folder") folders.mutate({ organizationId, folderIds: [id], ...access }, options);
    else documents.mutate({ organizationId, documentIds: [id], ...access }, options);
  }
  return (
    <DialogForm
      action="Save"
      isReady={chosen !== current}
      isRunning={isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Radio.Group
        label="Access type"
        value={chosen}
        error={message}
        onChange={(next) => {
          setChosen(next);
          reset();
        }}
      >
        <Stack gap="xs" mt={4}>
          <Radio
            value={INHERIT}
            label="Inherit"
            description="The access of the folder that it is in, or the default of the workspace."
          />
          {ACCESS_TYPES.map((value) => (
            <Radio
              key={value}
              value={value}
              label={ACCESS_TYPE_LABELS[value]}
              description={ACCESS_TYPE_MEANINGS[value]}
            />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
