/** Inserts variables into the field that had the focus last, because the menu has it meanwhile. */
import { type FocusEvent, useRef } from 'react';
import { insertionOf, type Variable } from './insertion.ts';

type TextBox = HTMLInputElement | HTMLTextAreaElement;

/** For the fields that take variables. A field within a loop has the tags around it on the elements around it. */
export const TAKES_VARIABLES = { 'data-takes-variables': '' };

const FIELDS = '[data-takes-variables]:not([readonly])';

export function useInsertion() {
  const around = useRef<HTMLDivElement>(null);
  const last = useRef<TextBox | null>(null);
  const onFocus = ({ target }: FocusEvent) => {
    if (target.matches(FIELDS)) last.current = target as TextBox;
  };
  const insert = (variable: Variable) => {
    const kept = last.current?.isConnected ? last.current : null;
    const field = kept ?? around.current?.querySelector<TextBox>(`textarea${FIELDS}`);
    if (field) insertInto(field, variable);
  };
  return { around, onFocus, insert };
}

function insertInto(field: TextBox, variable: Variable): void {
  const start = field.selectionStart ?? field.value.length;
  const { text, caret } = insertionOf(variable, tagsAround(field) + field.value.slice(0, start));
  field.focus();
  // Unlike a new value, this can be undone with Ctrl+Z.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, start, field.selectionEnd ?? start, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(start + caret, start + caret);
}

function tagsAround(field: TextBox): string {
  let tags = '';
  for (let at = field.parentElement; at; at = at.parentElement) tags = (at.dataset.opens ?? '') + tags;
  return tags;
}
