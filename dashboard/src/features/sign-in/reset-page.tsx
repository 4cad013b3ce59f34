/** A new password, by a link that was mailed. */
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { useMode } from '../../app/session.ts';
import { EmailAddressField, NewPasswordField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { onSubmit } from '../../ui/form.ts';
import { Gate } from './gate.tsx';

export function ResetPage() {
  const { token } = useSearch({ from: '/reset-password' });
  return token === undefined ? <Ask /> : <Choose token={token} />;
}

function Ask() {
  const mode = useMode();
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => api.auth.requestPasswordReset(email) });
  if (ask.isSuccess)
    return (
      <Gate title="Check your mail">
        <p>
          If somebody with the address <strong>{email}</strong> uses this installation, we sent them a link.
          The link works once, for an hour.
        </p>
        {mode === 'sandbox' ? (
          <p className="quiet small">
            In the sandbox no mail leaves this machine. The link is in the log of the server: look where{' '}
            <code>npm start</code> runs.
          </p>
        ) : null}
        <Link to="/sign-in">Back to sign-in</Link>
      </Gate>
    );
  return (
    <Gate title="Forgot your password?" lead="We will email you a link to choose a new one.">
      <form className="stack" onSubmit={onSubmit(ask.mutate)}>
        <EmailAddressField autoFocus value={email} onChange={(event) => setEmail(event.target.value)} />
        <ErrorNote error={ask.error} />
        <Button kind="primary" type="submit" className="wide" busy={ask.isPending}>
          Email me the link
        </Button>
        <Link to="/sign-in" className="small">
          Back to sign-in
        </Link>
      </form>
    </Gate>
  );
}

function Choose({ token }: { readonly token: string }) {
  const [password, setPassword] = useState('');
  const confirm = useMutation({
    mutationFn: () => api.auth.confirmPasswordReset({ token, password }),
  });
  if (confirm.isSuccess)
    return (
      <Gate title="Your password was changed" lead="All your sessions have ended.">
        <Link to="/sign-in" className="button primary">
          Sign in
        </Link>
      </Gate>
    );
  return (
    <Gate title="Choose a new password">
      <form className="stack" onSubmit={onSubmit(confirm.mutate)}>
        <NewPasswordField
          autoFocus
          label="New password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={problemOf(confirm.error, 'password')}
        />
        <ErrorNote error={confirm.error} known={['password']} />
        <Button kind="primary" type="submit" className="wide" busy={confirm.isPending}>
          Change password
        </Button>
      </form>
    </Gate>
  );
}
