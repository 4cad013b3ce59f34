/** A text area in front of a coloured copy of its text, so that typing, undo and selection are those of the browser. */
import { type KeyboardEvent, useId, useMemo, useRef } from 'react';
import '../../ui/styles/editor.css';
import { highlight, type Place } from './highlight.ts';
import { TAKES_VARIABLES } from './use-insertion.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problems?: readonly string[];
  readonly problemAt?: Place | undefined;
  readonly readOnly?: boolean;
  readonly takesVariables?: boolean;
}

export function CodeEditor({
  label,
  value,
  onChange,
  problems = [],
  problemAt,
  readOnly = false,
  takesVariables = false,
}: Props) {
  const id = useId();
  const colours = useRef<HTMLPreElement>(null);
  const pieces = useMemo(() => highlight(value, problemAt), [value, problemAt]);
  // Tab indents. After Escape, Tab leaves the editor, as keyboard users need it.
  const released = useRef(false);
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') released.current = true;
    if (event.key !== 'Tab' || event.shiftKey || released.current || readOnly) return;
    event.preventDefault();
    // Unlike a new value, this can be undone with Ctrl+Z.
    document.execCommand('insertText', false, '  ');
  };
  return (
    <div className="field">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <div className="editor">
        <pre ref={colours} aria-hidden="true">
          {pieces.map((piece, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
            <span key={place} className={`tok-${piece.kind}`}>
              {piece.text}
            </span>
          ))}
          {'\n'}
        </pre>
        <textarea
          {...(takesVariables ? TAKES_VARIABLES : {})}
          id={id}
          value={value}
          readOnly={readOnly}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          aria-describedby={`${id}-help`}
          aria-invalid={problems.length > 0 ? true : undefined}
          onKeyDown={pressed}
          onFocus={() => {
            released.current = false;
          }}
          onChange={(event) => onChange(event.target.value)}
          onScroll={(event) => {
            if (colours.current) colours.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      {problems.map((problem) => (
        <span key={problem} className="problem" role="status">
          {problem}
        </span>
      ))}
      <span className="hint" id={`${id}-help`}>
        Tab indents; Escape, then Tab, leaves the editor.
      </span>
    </div>
  );
}
