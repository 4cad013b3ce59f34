/** What password managers fill in: the same wherever people say who they are. */
import { type ComponentProps, useState } from 'react';
import { Field, TextField } from './field.tsx';

type Props = Omit<ComponentProps<typeof TextField>, 'label'> & { readonly label?: string };

export function EmailAddressField({ label = 'Email address', ...rest }: Props) {
  return <TextField label={label} type="email" required autoComplete="username" {...rest} />;
}

export function NewPasswordField({ label = 'Password', ...rest }: Props) {
  return (
    <PasswordField
      label={label}
      required
      minLength={10}
      autoComplete="new-password"
      hint="At least 10 characters."
      {...rest}
    />
  );
}

export function CurrentPasswordField({ label = 'Password', ...rest }: Props) {
  return <PasswordField label={label} required autoComplete="current-password" {...rest} />;
}

/** A password, hidden until somebody wants to see what they typed. */
function PasswordField({ label, hint, problem, ...rest }: ComponentProps<typeof TextField>) {
  const [shown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(wiring) => (
        <span className="password">
          <input className="input" {...wiring} {...rest} type={shown ? 'text' : 'password'} />
          <button
            type="button"
            className="password-toggle"
            aria-pressed={shown}
            aria-label="Show password"
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        </span>
      )}
    </Field>
  );
}
