import type { Template } from '@postrider/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

interface TemplateSearch {
  readonly page?: number;
  readonly search?: string;
  readonly limit?: number;
  readonly active?: boolean;
  readonly kind?: Template['kind'];
}

export function templatesQuery({ active, ...query }: TemplateSearch) {
  return queryOptions({
    queryKey: ['templates', 'list', { active, ...query }],
    queryFn: () =>
      api.templates.list({ limit: 25, ...query, ...(active === undefined ? {} : { is_active: active }) }),
    placeholderData: keepPreviousData,
  });
}

/** All results of a search, for a CSV file. */
export function allTemplates({ active, search, kind }: TemplateSearch) {
  return api.templates.all({
    ...(kind ? { kind } : {}),
    ...(search ? { search } : {}),
    ...(active === undefined ? {} : { is_active: active }),
  });
}

/** The layouts that a template can have. */
export const layoutsQuery = templatesQuery({ active: true, kind: 'layout', limit: 100 });

export function templateQuery(id: string) {
  return queryOptions({ queryKey: ['templates', id], queryFn: () => api.templates.get(id) });
}

/** Renders the saved version with this data, and with this subject unless it is empty. */
export function previewQuery(id: string, data: Record<string, unknown>, subject: string) {
  const body = { data, ...(subject === '' ? {} : { subject }) };
  return queryOptions({
    queryKey: ['templates', id, 'preview', body],
    queryFn: async () => (await api.request('POST /templates/{id}/preview', { params: { id }, body })).data,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function sendsQuery(id: string) {
  return queryOptions({ queryKey: ['templates', id, 'sends'], queryFn: () => api.templates.sends(id) });
}

export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: ['templates', id, 'versions'],
    queryFn: () => api.templates.versions(id, { limit: 50 }),
  });
}
