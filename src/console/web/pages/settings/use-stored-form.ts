import { useEffect, useState } from "react";

/**
 * Returns the state of a form for stored settings, its setter, and whether it differs from what is stored. Edits are
 * discarded when the stored settings change, as they do after saving. The form stays on the page, so that the focus
 * stays where it is.
 */
export function useStoredForm<Settings, Form>(
  settings: Settings,
  toForm: (settings: Settings) => Form,
): [Form, (form: Form) => void, boolean] {
  const [form, setForm] = useState(() => toForm(settings));
  useEffect(() => setForm(toForm(settings)), [settings, toForm]);
  const isChanged = JSON.stringify(form) !== JSON.stringify(toForm(settings));
  return [form, setForm, isChanged];
}
