/** Labelled inputs. A field shows the server's own words about it, found by the path the server names. */
import { type ComponentProps, type ReactNode, useId } from 'react';

interface Around {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

export function Field({
  label,
  hint,
  problem,
  children,
}: Around & { readonly children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': problem ? true : undefined,
      })}
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      {problem ? (
        <span className="problem" id={`${id}-problem`}>
          {problem}
        </span>
      ) : null}
    </div>
  );
}

export function TextField({ label, hint, problem, ...rest }: Around & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(wiring) => <input className="input" {...wiring} {...rest} />}
    </Field>
  );
}

export function TextArea({ label, hint, problem, ...rest }: Around & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(wiring) => <textarea className="input" {...wiring} {...rest} />}
    </Field>
  );
}

export function SelectField({ label, hint, problem, children, ...rest }: Around & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(wiring) => (
        <select className="input" {...wiring} {...rest}>
          {children}
        </select>
      )}
    </Field>
  );
}

export function Check({
  label,
  hint,
  ...rest
}: ComponentProps<'input'> & { readonly label: ReactNode; readonly hint?: ReactNode }) {
  return (
    <label className="check">
      <input type="checkbox" {...rest} />
      <span>
        {label}
        {hint ? <span className="quiet small"> {hint}</span> : null}
      </span>
    </label>
  );
}
