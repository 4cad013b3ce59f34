/** The html and text of an email, either stored directly or rendered from a template's version and data. */
import { convertingHtml } from '../protocols/message/plain-text/text-from-html.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { type ContentResult, renderContent } from '../template-language/render.ts';
import type { TemplateProblem } from '../template-language/tree.ts';
import type { SavedTemplate, TemplateLibrary } from '../templates/library.ts';
import { retryOnTimeout } from '../templates/retry-on-timeout.ts';

export interface StoredContent {
  readonly html: string | null;
  readonly text: string | null;
  readonly template_id: string | null;
  readonly template_version: number | null;
  /** The versions of the layout and the partials of the template. */
  readonly built_with: string | null;
  /** The language used. */
  readonly locale: string | null;
  readonly template_data: Readonly<Record<string, unknown>> | null;
  /** Whether a text part is generated from html if there is none. */
  readonly text_from_html: boolean;
}

type Rendered =
  | {
      readonly kind: 'content';
      /** The template's own subject; null without a template. */
      readonly subject: string | null;
      readonly html: string | null;
      readonly text: string | null;
    }
  /** The template was removed. */
  | { readonly kind: 'gone' }
  /** The email was accepted under higher limits than today's. A retry changes nothing. */
  | { readonly kind: 'unrenderable'; readonly message: string };

export async function renderedContent(
  templates: TemplateLibrary,
  organizationId: string,
  stored: StoredContent,
): Promise<Rendered> {
  const rendered = await storedOrRendered(templates, organizationId, stored);
  return stored.text_from_html && rendered.kind === 'content' ? withText(rendered) : rendered;
}

async function storedOrRendered(
  templates: TemplateLibrary,
  organizationId: string,
  stored: StoredContent,
): Promise<Rendered> {
  const { html, text, template_id: id, template_version: version } = stored;
  if (id === null || version === null) return { kind: 'content', subject: null, html, text };
  const saved = await templates.version(organizationId, id, {
    version,
    builtWith: stored.built_with,
    locale: stored.locale,
  });
  return saved === null ? { kind: 'gone' } : renderSaved(saved, stored.template_data ?? {});
}

/** Html without any readable text gets no text part. */
async function withText(content: Rendered & { kind: 'content' }): Promise<Rendered> {
  const { html, text } = content;
  if (html === null || (text !== null && text !== '')) return content;
  return { ...content, text: (await inTurns(convertingHtml(html))) || text };
}

async function renderSaved(saved: SavedTemplate, data: Readonly<Record<string, unknown>>): Promise<Rendered> {
  if (!saved.ok) return { kind: 'unrenderable', message: brokenText(saved.errors) };
  const rendered = await retryOnTimeout(() => renderContent(saved.template, data), isLate);
  if (!rendered.ok) return { kind: 'unrenderable', message: rendered.problem.message };
  return { kind: 'content', subject: rendered.subject, html: rendered.html, text: rendered.text };
}

export function brokenText([first]: readonly TemplateProblem[]): string {
  if (first === undefined) return 'The template does not compile.';
  const where = first.source === undefined ? first.part : `${first.part}, ${first.source}`;
  return `${where}, line ${first.line}: ${first.message}`;
}

function isLate(result: ContentResult): boolean {
  return !result.ok && result.problem.limit === 'time';
}
