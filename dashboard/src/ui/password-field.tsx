/** A password, hidden until somebody wants to see what they typed. */
import { type ComponentProps, useState } from 'react';
import { Field, type TextField } from './field.tsx';

export function PasswordField({ label, hint, problem, ...rest }: ComponentProps<typeof TextField>) {
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
