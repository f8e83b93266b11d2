import type { FormEvent } from "react";
import type { Path, RequestData } from "../../api/call.ts";
import { useApiMutation } from "../../api/use-api.ts";
import { useStoredForm } from "./use-stored-form.ts";

interface SettingsFormOptions<Settings, Form, P extends Path> {
  settings: Settings;
  toForm: (settings: Settings) => Form;
  toUpdate: (form: Form) => RequestData<P>;
}

/** Returns the state of a form that saves stored settings by an operation, without a confirmation. */
export function useSettingsForm<Settings, Form extends object, P extends Path>(
  path: P,
  { settings, toForm, toUpdate }: SettingsFormOptions<Settings, Form, P>,
) {
  const [form, setForm, isChanged] = useStoredForm(settings, toForm);
  const { mutate, isPending, isSuccess, error, reset } = useApiMutation(path);
  function set(changes: Partial<Form>): void {
    setForm({ ...form, ...changes });
    reset();
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isChanged && !isPending) mutate(toUpdate(form));
  }
  const status = isPending ? "Saving…" : isSuccess ? "Saved." : "";
  return { form, set, submit, error, saveLine: { isChanged, status } };
}
