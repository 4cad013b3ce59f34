/** Renders the draft on the server, a moment after the last key. The last successful preview stays on the screen. */
import type { Data, TemplateDetail } from '@postrider/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../app/api.ts';
import { parseData } from '../compose/draft.ts';
import { contentOf, type TemplateDraft } from './draft.ts';
import { useSettled } from './use-settled.ts';

export interface PreviewState {
  readonly result: Data<'POST /templates/{id}/preview'> | undefined;
  readonly error: unknown;
  readonly dataProblem: string | null;
}

type Draft = Omit<TemplateDraft, 'name' | 'alias'>;

export function usePreview(
  { id, kind }: TemplateDetail,
  draft: Draft,
  data: string,
  locale: string | null,
): PreviewState {
  const wanted = useSettled(JSON.stringify({ content: contentOf(kind, draft), data, locale }));
  const [result, setResult] = useState<PreviewState['result']>(undefined);
  const {
    content,
    data: sample,
    locale: shown,
  } = JSON.parse(wanted) as {
    locale: string | null;
    content: ReturnType<typeof contentOf>;
    data: string;
  };
  const parsed = read(sample);
  const preview = useQuery({
    queryKey: ['templates', id, 'preview', wanted],
    queryFn: async () => {
      const body = { ...content, data: parsed.value, ...(shown === null ? {} : { locale: shown }) };
      return (await api.request('POST /templates/{id}/preview', { params: { id }, body })).data;
    },
    enabled: parsed.problem === null && content.subject !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  useEffect(() => {
    if (preview.data) setResult(preview.data);
  }, [preview.data]);
  return { result: preview.data ?? result, error: preview.error, dataProblem: parsed.problem };
}

function read(text: string): { value: Record<string, unknown>; problem: string | null } {
  try {
    return { value: parseData(text), problem: null };
  } catch (error) {
    return { value: {}, problem: error instanceof Error ? error.message : String(error) };
  }
}
