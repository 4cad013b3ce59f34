/** Asks the server what a draft looks like, a moment after the last key. The last good answer stays on the screen. */
import type { Data } from '@postrider/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../app/api.ts';
import { parseData } from '../compose/draft.ts';
import type { Rule } from './rules.ts';
import { useSettled } from './use-settled.ts';

export interface PreviewState {
  readonly result: Data<'POST /templates/{id}/preview'> | undefined;
  readonly error: unknown;
  readonly dataProblem: string | null;
}

interface Draft {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly variable_schema: Rule[];
}

export function usePreview(
  id: string,
  { subject, html, text, variable_schema }: Draft,
  data: string,
): PreviewState {
  const wanted = useSettled(JSON.stringify({ draft: { subject, html, text, variable_schema }, data }));
  const [result, setResult] = useState<PreviewState['result']>(undefined);
  const { draft, data: sample } = JSON.parse(wanted) as { draft: Draft; data: string };
  const parsed = read(sample);
  const preview = useQuery({
    queryKey: ['templates', id, 'preview', wanted],
    queryFn: async () => {
      const body = { ...draft, data: parsed.value };
      return (await api.request('POST /templates/{id}/preview', { params: { id }, body })).data;
    },
    enabled: parsed.problem === null && draft.subject !== '',
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
