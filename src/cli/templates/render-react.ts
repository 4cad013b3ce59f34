/**
 * A program that renders a React Email file of a project as a template, and prints the result on standard
 * output. Its arguments are the URLs of the file, of `react` and of `@react-email/render`. CommonJS modules
 * have their component in or as the default export.
 */
import { ANSWER_MARK, type RenderAnswer } from './react-answer.ts';
import { EXPORT_VARIABLES, type Given, NotPushable, placeholdersFor } from './react-placeholders.ts';
import {
  checkShape,
  checkShown,
  reachingOut,
  readableTags,
  shapeOf,
  textWithTags,
} from './react-template.ts';

type Module = Record<string, unknown> & { readonly default?: unknown };
type Component = ((props: object) => unknown) & { readonly PreviewProps?: unknown };

interface Renderer {
  readonly createElement: (component: () => unknown) => unknown;
  readonly render: (element: unknown, options?: object) => Promise<string>;
}

async function answerOf(...urls: readonly string[]): Promise<RenderAnswer> {
  const [template, reactModule, renderModule] = (await Promise.all(urls.map((url) => import(url)))) as [
    ...[Module, Module, Module],
  ];
  const outer = template.default as { readonly default?: unknown } | undefined;
  const component = typeof outer === 'function' ? outer : outer?.default;
  if (typeof component !== 'function') return { nothing: true };
  const renderer = {
    createElement: named(reactModule, 'createElement') as Renderer['createElement'],
    render: named(renderModule, 'render') as Renderer['render'],
  };
  const subject = named(template, 'subject');
  const sample = named(template, 'variables') ?? (component as Component).PreviewProps ?? {};
  const made = await templateOf(renderer, component as Component, sample as object);
  return { ...made, subject: typeof subject === 'string' ? subject : null };
}

function named(module: Module, name: string): unknown {
  return module[name] ?? (module.default as Module | undefined)?.[name];
}

async function templateOf(renderer: Renderer, component: Component, sample: object) {
  const given = placeholdersFor(sample);
  const elementOf = ({ props }: Given) => renderer.createElement(() => component(props));
  const html = readableTags(await renderer.render(elementOf(given)));
  checkShown(html, given);
  await checkConditions(html, given, (blank) => renderer.render(elementOf(placeholdersFor(sample, blank))));
  const text = await renderer.render(elementOf(given), { plainText: true, htmlToTextOptions: AS_WRITTEN });
  const whole = textWithTags(text, html);
  return {
    html: reachingOut(html, given.roots),
    text: whole === null ? null : reachingOut(whole, given.roots),
  };
}

/** `{{name}}` in capitals would be another variable. */
const AS_WRITTEN = {
  selectors: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
    selector,
    options: { uppercase: false },
  })),
};

/** Detects conditions in code: rendering without values must give the same elements. */
async function checkConditions(
  html: string,
  { reads }: Given,
  rendered: (blank: (label: string) => boolean) => Promise<string>,
): Promise<void> {
  const shape = shapeOf(html);
  // An error without a value only means that the value is required.
  const blankShape = (blank: (label: string) => boolean) => rendered(blank).then(shapeOf, () => shape);
  if ((await blankShape(() => true)) === shape) return;
  for (const label of new Set(reads.values()))
    checkShape(shape, await blankShape((one) => one === label), label);
}

function failure(error: unknown): RenderAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const isTheirs = !(error instanceof NotPushable) && error instanceof TypeError;
  return { failure: isTheirs ? `${message}. If it needs lists or objects, ${EXPORT_VARIABLES}` : message };
}

const [file = '', react = '', render = ''] = process.argv.slice(2);
const answer = await answerOf(file, react, render).catch(failure);
process.stdout.write(ANSWER_MARK + JSON.stringify(answer), () => process.exit(0));
