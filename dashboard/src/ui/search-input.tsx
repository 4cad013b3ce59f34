/** An input that waits until one pauses before it says what is wanted, so that not every letter is a request. */
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { TextField } from './field.tsx';

const PAUSE_MS = 350;

interface Props extends Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> {
  readonly value: string | undefined;
  readonly onSettled: (value: string | undefined) => void;
  /** Half an address finds nothing; it is not asked for until it is whole. */
  readonly isComplete?: (text: string) => boolean;
}

export function SearchInput({ value, onSettled, isComplete = () => true, ...rest }: Props) {
  const [text, setText] = useState(value ?? '');
  const settled = useRef(value ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The newest, because another filter may change while somebody types.
  const settleWith = useRef(onSettled);
  useEffect(() => {
    settleWith.current = onSettled;
  });
  useEffect(() => {
    if ((value ?? '') === settled.current) return;
    clearTimeout(timer.current);
    settled.current = value ?? '';
    setText(value ?? '');
  }, [value]);
  const settle = (wanted: string) => {
    if (wanted === settled.current || (wanted !== '' && !isComplete(wanted))) return;
    settled.current = wanted;
    settleWith.current(wanted === '' ? undefined : wanted);
  };
  const problem = text !== '' && !isComplete(text) ? rest.hint : undefined;
  return (
    <TextField
      type="search"
      {...rest}
      hint={undefined}
      problem={typeof problem === 'string' ? problem : undefined}
      value={text}
      onChange={(event) => {
        const wanted = event.target.value.trim();
        setText(event.target.value);
        clearTimeout(timer.current);
        const { pathname } = location;
        // Somebody who opens a result at once must not be taken back to the list.
        timer.current = setTimeout(() => pathname === location.pathname && settle(wanted), PAUSE_MS);
      }}
    />
  );
}
