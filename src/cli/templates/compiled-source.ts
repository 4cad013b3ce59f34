import type { TemplateMeta } from './source-file.ts';

export type CompiledSource =
  | { readonly ok: true; readonly html: string; readonly text: string | null; readonly meta: TemplateMeta }
  | { readonly ok: false; readonly message: string }
  /** A part of other sources, such as a component: nothing to send. */
  | { readonly ok: 'nothing' };
