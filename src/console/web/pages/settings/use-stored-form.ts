import { useEffect, useState } from "react";

/**
 * Returns the state of a form for stored settings, and its setter. Edits are discarded when the stored settings change,
 * as they do after saving. The form stays on the page, so that the focus stays where it is.
 */
export function useStoredForm<Settings, Form>(
  settings: Settings,
  toForm: (settings: Settings) => Form,
): [Form, (form: Form) => void] {
  const [form, setForm] = useState(() => toForm(settings));
  useEffect(() => setForm(toForm(settings)), [settings, toForm]);
  return [form, setForm];
}
