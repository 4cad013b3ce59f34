/** Address, password and, where it is needed, a code. */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Me } from '../../app/account-types.ts';
import { api, PostriderError } from '../../app/api.ts';
import { CurrentPasswordField, EmailAddressField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit, useForm } from '../../ui/form.ts';

interface Props {
  /** The person who signs in, where that is known. */
  readonly email?: string;
  readonly onSignedIn: (me: Me) => Promise<void>;
  readonly children: ReactNode;
}

export function SignInForm({ email, onSignedIn, children }: Props) {
  const { form, set } = useForm({ email: email ?? '', password: '', code: '' });
  const signIn = useMutation({
    mutationFn: () =>
      api.auth.signIn({
        email: form.email,
        password: form.password,
        ...(form.code === '' ? {} : { code: form.code.trim() }),
      }),
    onSuccess: onSignedIn,
  });
  const needsCode = signIn.error instanceof PostriderError && String(signIn.error.code) === 'TOTP_REQUIRED';
  const asksCode = needsCode || form.code !== '';
  const wrongCode = needsCode && problemOf(signIn.error, 'code');
  return (
    <form className="stack" onSubmit={onSubmit(signIn.mutate)}>
      <EmailAddressField
        autoFocus={email === undefined}
        readOnly={email !== undefined}
        value={form.email}
        onChange={set('email')}
      />
      <CurrentPasswordField
        autoFocus={email !== undefined}
        value={form.password}
        onChange={set('password')}
      />
      {asksCode ? (
        <TextField
          label="Code"
          required
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          value={form.code}
          onChange={set('code')}
          hint="Six digits from your authenticator app, or one of your recovery codes."
          problem={wrongCode || undefined}
        />
      ) : null}
      {needsCode ? null : <ErrorNote error={signIn.error} />}
      <Button kind="primary" type="submit" className="wide" busy={signIn.isPending}>
        Sign in
      </Button>
      {children}
    </form>
  );
}
