/**
 * The edited template. A state that a colleague saves meanwhile never replaces typed text. The editor shows a conflict,
 * and the user chooses.
 */
import type { TemplateDetail } from '@postrider/sdk';
import { useMemo, useState } from 'react';
import { draftOf, isSameContent, mergedDraft, type TemplateDraft } from './draft.ts';
import { isSameData, sampleText } from './sample-data.ts';

export interface Edited {
  /** The saved state that the editing started from. */
  readonly opened: TemplateDetail;
  readonly draft: TemplateDraft;
  readonly data: string;
  readonly contentChanged: boolean;
  readonly dataChanged: boolean;
  readonly namesChanged: boolean;
  /** A newer state, saved by a colleague while there are unsaved changes. */
  readonly conflict: TemplateDetail | null;
  setDraft(draft: TemplateDraft): void;
  setData(data: string): void;
  /** Discards the unsaved changes. */
  open(template: TemplateDetail): void;
  /** Applies the unsaved changes to another saved state. */
  rebase(template: TemplateDetail): void;
  /** Keeps text that was typed while `submitted` was being saved. */
  saved(template: TemplateDetail, submitted?: TemplateDraft): void;
}

export function useEdited(template: TemplateDetail): Edited {
  const [opened, setOpened] = useState(template);
  const [draft, setDraft] = useState(() => draftOf(template));
  // Untouched sample data follows the template: a new variable gets a value when the template is saved.
  const [typed, setData] = useState<string | null>(null);
  const kept = useMemo(() => sampleText(opened), [opened]);
  const before = useMemo(() => draftOf(opened), [opened]);
  const contentChanged = !isSameContent(before, draft);
  const dataChanged = typed !== null && !isSameData(typed, kept);
  const namesChanged = draft.name !== before.name || draft.alias !== before.alias || dataChanged;
  // After a save, the page gets the new state a moment later than the editor. Until then its state is no news.
  const [outdated, setOutdated] = useState<string | null>(null);
  const know = (next: TemplateDetail) => {
    setOpened(next);
    setOutdated(template.last_changed_at);
  };
  const open = (next: TemplateDetail) => {
    know(next);
    setDraft(draftOf(next));
    setData(null);
  };
  const isKnown = template.last_changed_at === opened.last_changed_at;
  // A discarded draft can bring an earlier time back, so the time is outdated only until the page has caught up.
  if (isKnown && outdated !== null) setOutdated(null);
  const isNewer = !isKnown && template.last_changed_at !== outdated;
  const isUntouched = !contentChanged && !namesChanged;
  if (isNewer && isUntouched) open(template);
  return {
    opened,
    draft,
    data: typed ?? kept,
    contentChanged,
    dataChanged,
    namesChanged,
    conflict: isNewer && !isUntouched ? template : null,
    setDraft,
    setData,
    open,
    rebase(next) {
      know(next);
      setDraft(mergedDraft({ before, mine: draft, theirs: draftOf(next) }));
    },
    saved(next, submitted) {
      know(next);
      setDraft((current) => (current === submitted ? draftOf(next) : current));
    },
  };
}
