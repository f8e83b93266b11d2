import { NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import type { RequestData } from "../api/call.ts";
import { fieldIssues } from "../api/field-issues.ts";
import { useApiMutation } from "../api/use-api.ts";
import { DialogForm, FormDialog } from "./FormDialog.tsx";
import { onlyItemError } from "./item-error.ts";
import { textIssue } from "./text-issue.ts";

/** Operations that write a list of items and respond with the outcome of each. */
type ItemPath =
  | "/v2/organizations/add"
  | "/v2/organizations/update"
  | "/v2/organizations/documents/add"
  | "/v2/organizations/documents/update"
  | "/v2/users/add"
  | "/v2/users/update";

/** A text field of an item, or a choice of one of the `options`. */
interface ItemField<Name extends string> {
  name: Name;
  label: string;
  description?: string;
  placeholder?: string;
  /** The browser checks the format of an address. */
  type?: "email";
  options?: readonly { value: string; label: string }[];
  /** Whether it is required, as only IDs are. */
  isRequired?: boolean;
  /** The value before a change. */
  value?: string | undefined;
}

/** Outcome of a check that has found the item. */
const TAKEN = { message: "This ID exists already." };

interface ItemDialogProps<P extends ItemPath, Name extends string> {
  title: string;
  /** Label of the button that submits. */
  action: string;
  path: P;
  /** Path of the item in the request, such as `data.users[0]`. */
  at: string;
  /** The first field shows why the item failed. */
  fields: readonly ItemField<Name>[];
  buildRequest: (values: Readonly<Record<Name, string>>) => RequestData<P>;
  /** Reads whether the item exists already, which an operation that adds would replace. */
  exists?: (values: Readonly<Record<Name, string>>) => Promise<boolean>;
  onClose: () => void;
}

/** A dialog that adds or changes one item. */
export function ItemDialog<P extends ItemPath, Name extends string>(props: ItemDialogProps<P, Name>) {
  return (
    <FormDialog title={props.title} isOpen onClose={props.onClose}>
      <ItemForm {...props} />
    </FormDialog>
  );
}

function ItemForm<P extends ItemPath, Name extends string>(props: Omit<ItemDialogProps<P, Name>, "title">) {
  const { action, path, at: item, fields, buildRequest, exists, onClose } = props;
  const [values, setValues] = useState(() => buildValues(fields));
  const check = useMutation({ mutationFn: async (of: typeof values) => (await exists?.(of)) ?? false });
  const { mutate, data, isPending, error, reset } = useApiMutation(path);
  const itemError = check.data ? TAKEN.message : data && onlyItemError(data.data);
  const { at, rest } = fieldIssues(
    check.error ?? error,
    fields.map(({ name }) => `${item}.${name}`),
  );
  const getIssue = ({ name, isRequired }: Pick<ItemField<Name>, "name" | "isRequired">) =>
    isRequired ? textIssue(values[name].trim()) : undefined;
  const isComplete = fields.every(({ name, isRequired }) => !isRequired || values[name].trim() !== "");
  const isValid = fields.every((field) => getIssue(field) === undefined);
  const isChanged = fields.some(({ name, value = "" }) => values[name].trim() !== value);
  function submit(): void {
    const trimmed = buildValues(fields.map(({ name }) => ({ name, value: values[name].trim() })));
    const write = () =>
      mutate(buildRequest(trimmed), { onSuccess: (response) => onlyItemError(response.data) ?? onClose() });
    check.mutate(trimmed, { onSuccess: (isTaken) => isTaken || write() });
  }
  return (
    <DialogForm
      action={action}
      isReady={isComplete && isValid && isChanged}
      isRunning={check.isPending || isPending}
      outcome={check.error ?? error ?? (check.data ? TAKEN : data)}
      error={rest}
      onSubmit={submit}
      onClose={onClose}
    >
      {fields.map(({ name, label, description, placeholder, type, options, isRequired = false }, index) => {
        const common = {
          label,
          description,
          value: values[name],
          error: at(`${item}.${name}`) ?? getIssue({ name, isRequired }) ?? (index === 0 ? itemError : undefined),
          onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
            setValues({ ...values, [name]: event.currentTarget.value });
            check.reset();
            reset();
          },
        };
        return options ? (
          <NativeSelect key={name} {...common} data={[...options]} />
        ) : (
          <TextInput
            key={name}
            {...common}
            placeholder={placeholder}
            type={type}
            required={isRequired}
            withAsterisk={false}
            autoComplete="off"
            {...(index === 0 && { "data-autofocus": true })}
          />
        );
      })}
    </DialogForm>
  );
}

/** Returns the values by the names of their fields; the cast holds because every field has one. */
function buildValues<Name extends string>(fields: readonly { name: Name; value?: string | undefined }[]) {
  return Object.fromEntries(fields.map(({ name, value = "" }) => [name, value])) as Record<Name, string>;
}
