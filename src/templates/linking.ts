/** Resolves the layout and partials of a template and validates the whole. Reports all problems at once. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Sql } from '../database/sql.ts';
import { Problems } from '../runtime/problems.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { PIECE_LIMITS } from '../template-language/limits.ts';
import { partialNames } from '../template-language/partial-names.ts';
import type { TemplateData } from '../template-language/render.ts';
import { type CompiledTemplate, compileInTurns, detectVariables } from '../template-language/template.ts';
import type { TemplateProblem } from '../template-language/tree.ts';
import { checkVariableSchema } from '../template-language/variable-schema.ts';
import type { ContentInput } from './content.ts';
import type { TemplateKind } from './kind.ts';
import { pinsNow, surroundingsOf } from './pieces.ts';
import { type Preview, previewTemplate } from './preview.ts';
import { findTemplate, type TemplateContent } from './store.ts';
import { type PiecePin, partialsNamed } from './store-pieces.ts';
import { allTexts, localeIn, textsIn } from './translations.ts';
import { variablesView } from './view.ts';

interface TemplateInput {
  readonly kind: TemplateKind;
  readonly content: ContentInput;
  /** Null for a template that is not stored yet. */
  readonly id: string | null;
}

interface LinkedTemplate {
  readonly content: TemplateContent;
  /** In the requested language. */
  readonly compiled: CompiledTemplate;
}

/** Storing a template checks all languages; a preview checks only its own. */
export type CheckedLocales = 'all' | { readonly only: string | null };

/** Throws all problems at once, or returns the template ready to store and render. */
export async function linkOrRefuse(
  db: Sql,
  organizationId: string,
  given: TemplateInput,
  locales: CheckedLocales = 'all',
): Promise<LinkedTemplate> {
  const problems = new Problems();
  checkKind(given, problems);
  const schema = given.content.variableSchema ?? [];
  for (const { field, message } of checkVariableSchema(schema)) problems.add(field, message);
  const { content, pins } = await link(db, organizationId, given, problems);
  const wanted = locales === 'all' ? null : localeIn(content, locales.only);
  let compiled: CompiledTemplate | null = null;
  for (const locale of localesOf(content, locales)) {
    const around = await surroundingsOf(db, organizationId, { ...content, kind: given.kind }, pins, locale);
    const result = await compileInTurns(textsIn(content, locale), around);
    const at = content.translations?.findIndex((one) => one.locale === locale) ?? -1;
    const prefix = at < 0 ? '' : `translations[${at}].`;
    if (!result.ok) for (const error of result.errors) problems.add(prefix + error.part, problemText(error));
    else if (locale === wanted) compiled = result.template;
  }
  problems.throwIfAny();
  if (compiled === null) throw new Error('A template was refused without a reason.');
  return { content, compiled };
}

function localesOf(content: TemplateContent, locales: CheckedLocales): readonly (string | null)[] {
  if (locales !== 'all') return [localeIn(content, locales.only)];
  return [null, ...(content.translations ?? []).map(({ locale }) => locale)];
}

function problemText({ source, line, column, message }: TemplateProblem): string {
  const where = `line ${line}, column ${column}: ${message}`;
  return source === undefined ? where : `in ${source}, ${where}`;
}

/** Only templates that are sent have a subject and a layout. A layout or partial without any text is useless. */
function checkKind({ kind, content }: TemplateInput, problems: Problems): void {
  for (const [at, { subject, html, text }] of (content.translations ?? []).entries()) {
    const field = `translations[${at}]`;
    if (kind === 'template' && subject === '') problems.missing(`${field}.subject`);
    if (kind !== 'template' && subject !== '')
      problems.add(`${field}.subject`, `must not be given: a ${kind} has none`);
    if (html === '' && text === '') problems.add(`${field}.html`, 'is required, or text', 'one_missing');
  }
  if (kind === 'template') return;
  if (content.subject !== '') problems.add('subject', `must not be given: a ${kind} has none`);
  if (content.layout !== null) problems.add('layout', `must not be given: a ${kind} has none`);
  if (content.inlineCss)
    problems.add('inline_css', `must not be true of a ${kind}: the template that uses it says so`);
  if (content.html === '' && content.text === '') problems.add('html', 'is required, or text', 'one_missing');
}

async function link(
  db: Sql,
  organizationId: string,
  { content: given, id }: TemplateInput,
  problems: Problems,
): Promise<{ content: TemplateContent; pins: readonly PiecePin[] }> {
  const { layout, ...own } = given;
  const names = [...new Set(allTexts(own).flatMap((text) => [...partialNames(text)]))];
  const partials = names.length === 0 ? null : await partialsNamed(db, organizationId, names);
  const layoutId = layout === null ? null : await layoutNamed(db, organizationId, layout, problems);
  const content = { ...own, layoutId, partials };
  const pins = await pinsNow(db, organizationId, content);
  if (pins === null) {
    problems.add(
      'html',
      `uses more than ${PIECE_LIMITS.pieces} layouts and partials, including those that its layouts and partials use`,
    );
    return { content, pins: [] };
  }
  if (pins.some((pin) => pin.id === id)) problems.add('html', 'uses a partial that uses this partial');
  return { content, pins };
}

async function layoutNamed(
  db: Sql,
  organizationId: string,
  idOrAlias: string,
  problems: Problems,
): Promise<string | null> {
  const found = await findTemplate(db, organizationId, idOrAlias);
  if (found?.is_active && found.kind === 'layout') return found.id;
  problems.add(
    'layout',
    found?.is_active ? `is a ${found.kind}, not a layout` : 'is not a layout of this organization',
  );
  return null;
}

export async function renderLinked({ content, compiled }: LinkedTemplate, data: TemplateData) {
  const schema = content.variableSchema ?? [];
  await yieldToEventLoop();
  const result = await previewTemplate(compiled, schema, data);
  if (!result.ok) throw previewProblem(result);
  return {
    ...result,
    warnings: [...result.warnings],
    variables: variablesView(detectVariables(compiled), schema),
  };
}

function previewProblem({ message, late }: Extract<Preview, { ok: false }>): ServiceError {
  if (late) return new ServiceError('UNAVAILABLE', message, { retryAfterSeconds: 1 });
  return new Problems().add('data', message).toError();
}
