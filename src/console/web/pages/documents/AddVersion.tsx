import { TextInput } from "@mantine/core";
import { useState } from "react";
import { fieldIssues } from "../../api/field-issues.ts";
import { useApiMutation } from "../../api/use-api.ts";
import { DialogButton, DialogForm } from "../../components/FormDialog.tsx";
import type { EditorRef } from "./version.ts";

const NAME = "data.name";

/** A button that keeps the content of a collaborative document as a version. */
export function AddVersion({ place }: { place: EditorRef }) {
  return (
    <DialogButton label="Create version" title="Create version">
      {(close) => <Form place={place} onClose={close} />}
    </DialogButton>
  );
}

function Form({ place, onClose }: { place: EditorRef; onClose: () => void }) {
  const [name, setName] = useState("");
  const { mutate, isPending, error, reset } = useApiMutation("/v2/crdt/versions/add");
  const { at, rest } = fieldIssues(error, [NAME]);
  return (
    <DialogForm
      action="Create"
      isReady={name.trim() !== ""}
      isRunning={isPending}
      outcome={error}
      error={rest}
      onSubmit={() => mutate({ ...place, name: name.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        placeholder="Signed"
        autoComplete="off"
        data-autofocus
        value={name}
        error={at(NAME)}
        onChange={(event) => {
          setName(event.currentTarget.value);
          reset();
        }}
      />
    </DialogForm>
  );
}
