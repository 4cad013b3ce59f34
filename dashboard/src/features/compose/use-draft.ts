/** What is written stays in this browser until it is sent, discarded or signed out of. A link that begins one begins anew. */
import { useCallback, useEffect, useState } from 'react';
import { forgetDraft, keepDraft, keptDraft } from '../../app/kept-drafts.ts';
import { useMe } from '../../app/session.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

interface Begun {
  readonly to?: string;
  readonly template?: string;
}

export function useDraft(asked: Begun) {
  const me = useMe();
  const [start] = useState(() => startOf(asked, keptDraft(me)));
  const [draft, setDraft] = useState(start.draft);
  const [isEarlier, setIsEarlier] = useState(start.isEarlier);
  const [isKept, setIsKept] = useState(true);
  const set = useCallback((changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })), []);
  useEffect(() => {
    // Nothing was written yet: what is kept of another one stays.
    if (draft === start.draft) return;
    if (isEmpty(draft)) forgetDraft(me);
    setIsKept(isEmpty(draft) || keepDraft(me, draft));
  }, [draft, start, me]);
  const discard = () => {
    forgetDraft(me);
    setDraft(EMPTY_DRAFT);
    setIsEarlier(false);
  };
  return { draft, set, isEarlier, isKept, discard };
}

function startOf({ to, template }: Begun, kept: object | null): { draft: Draft; isEarlier: boolean } {
  if (to === undefined && template === undefined && kept)
    return { draft: { ...EMPTY_DRAFT, ...kept }, isEarlier: true };
  const by = template === undefined ? 'hand' : 'template';
  return { draft: { ...EMPTY_DRAFT, to: to ?? '', templateId: template ?? '', by }, isEarlier: false };
}

function isEmpty(draft: Draft): boolean {
  return JSON.stringify(draft) === JSON.stringify(EMPTY_DRAFT);
}
