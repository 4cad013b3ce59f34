import { type SubmitEvent, useState } from 'react';

type Change = { readonly target: { readonly value: string } };

/** The texts of a form's fields, and for each a handler that takes over what was typed. */
export function useForm<Form extends Readonly<Record<string, string>>>(empty: Form) {
  const [form, setForm] = useState(empty);
  const set = (field: keyof Form) => (event: Change) => setForm({ ...form, [field]: event.target.value });
  return { form, set, clear: () => setForm(empty) };
}

/** Instead of what the browser would do with a form. */
export function onSubmit(act: () => void): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault();
    act();
  };
}
