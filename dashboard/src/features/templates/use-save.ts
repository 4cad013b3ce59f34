/** Saves the names, the draft and the version. Each step names the last change that it knows of, so that no colleague's save is replaced. */
import type { TemplateDetail } from '@postrider/sdk';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../app/api.ts';
import { useToast } from '../../ui/toast.tsx';
import { parseData } from '../compose/draft.ts';
import { contentOf, type TemplateDraft } from './draft.ts';
import { templateQuery } from './queries.ts';
import type { Edited } from './use-edited.ts';

interface Save {
  readonly publish: boolean;
  readonly draft: TemplateDraft;
}

export type Saving = ReturnType<typeof useSave>;

export function useSave(edited: Edited) {
  const client = useQueryClient();
  const say = useToast();
  const { opened, data, contentChanged, namesChanged, dataChanged } = edited;
  const { id, kind } = opened;
  const lastChangedAt = useRef(opened.last_changed_at);
  return useMutation({
    mutationFn: async ({ publish, draft }: Save) => {
      const seen = () => ({ lastChangedAt: lastChangedAt.current });
      lastChangedAt.current = opened.last_changed_at;
      if (namesChanged) {
        const names = namesOf(draft, dataChanged ? data : null);
        lastChangedAt.current = (await api.templates.update(id, names, seen())).updated_at;
      }
      if (contentChanged) {
        const content = contentOf(kind, draft);
        lastChangedAt.current = (await api.templates.saveDraft(id, content, seen())).saved_at;
      }
      if (!publish || !(contentChanged || opened.draft)) return contentChanged ? 'Draft saved.' : 'Saved.';
      const { version } = await api.templates.publish(id, seen());
      return `Published as version ${version}.`;
    },
    onSuccess: async (words, { draft }) => {
      edited.saved(await readAgain(client, id), draft);
      say(words);
    },
    onError: async () => {
      const found = await readAgain(client, id).catch(() => null);
      // A step before the one that failed may have saved something; that is no conflict.
      if (found?.last_changed_at === lastChangedAt.current) edited.saved(found);
    },
  });
}

/** The lists and versions are read again too, when they are shown. */
export async function readAgain(client: QueryClient, id: string): Promise<TemplateDetail> {
  await client.invalidateQueries({ queryKey: ['templates'] });
  return client.fetchQuery(templateQuery(id));
}

function namesOf(draft: TemplateDraft, data: string | null) {
  const sample = data === null ? {} : { sample_data: parseData(data) };
  return { name: draft.name, alias: draft.alias || null, ...sample };
}
