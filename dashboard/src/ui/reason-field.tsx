import type { ComponentProps } from 'react';
import { problemOf } from './error-note.tsx';
import { TextField } from './field.tsx';

type ReasonFieldProps = Pick<ComponentProps<typeof TextField>, 'hint' | 'value' | 'onChange'> & {
  /** What the server said about the form. */
  readonly error: Parameters<typeof problemOf>[0];
};

/** Why somebody does what others will ask about. */
export function ReasonField({ error, ...rest }: ReasonFieldProps) {
  return <TextField label="Reason" required maxLength={500} problem={problemOf(error, 'reason')} {...rest} />;
}
