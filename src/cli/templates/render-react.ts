/**
 * A program that renders a React Email file of a project as a template, and prints the result on standard
 * output. Its arguments are the URLs of the file, of `react` and of `@react-email/render`. CommonJS modules
 * have their component in or as the default export.
 */
import { ANSWER_MARK, type RenderAnswer } from './react-answer.ts';
import { checkCode } from './react-checks.ts';
import { EXPORT_VARIABLES, type Given, NotPushable, placeholdersFor } from './react-placeholders.ts';
import { checkShown, reachingOut, readableTags, textWithTags } from './react-template.ts';

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
  const component = componentOf(template.default);
  if (component === null) return { nothing: true };
  const renderer = {
    createElement: named(reactModule, 'createElement') as Renderer['createElement'],
    render: named(renderModule, 'render') as Renderer['render'],
  };
  const subject = named(template, 'subject');
  const sample = named(template, 'variables') ?? component.PreviewProps ?? {};
  const made = await templateOf(renderer, component, sample as object);
  return { ...made, subject: typeof subject === 'string' ? subject : null };
}

/** `memo` of React wraps a component into an object with it as `type`. */
function componentOf(exported: unknown): Component | null {
  if (typeof exported === 'function') return exported as Component;
  const { default: inner, type } = (exported ?? {}) as {
    readonly default?: unknown;
    readonly type?: unknown;
  };
  if (typeof type === 'function')
    return Object.assign((props: object) => (type as Component)(props), exported);
  return inner === undefined ? null : componentOf(inner);
}

function named(module: Module, name: string): unknown {
  return module[name] ?? (module.default as Module | undefined)?.[name];
}

async function templateOf(renderer: Renderer, component: Component, sample: object) {
  const given = placeholdersFor(sample);
  const elementOf = ({ props }: Given) => renderer.createElement(() => component(props));
  const htmlOf = async (one: Given) => readableTags(await renderer.render(elementOf(one)));
  const html = await htmlOf(given);
  checkShown(html, given);
  await checkCode(html, given, (show) => htmlOf(placeholdersFor(sample, show)));
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

const TEXTS_ONLY = `Each value is a text while the template is pushed: format it with a helper, such as {'{{upper name}}'}. For lists and objects ${EXPORT_VARIABLES}`;

function failure(error: unknown): RenderAnswer {
  const message = error instanceof Error ? error.message : String(error);
  const isTheirs = !(error instanceof NotPushable) && error instanceof TypeError;
  return { failure: isTheirs ? `${message}. ${TEXTS_ONLY}` : message };
}

const [file = '', react = '', render = ''] = process.argv.slice(2);
const answer = await answerOf(file, react, render).catch(failure);
process.stdout.write(ANSWER_MARK + JSON.stringify(answer), () => process.exit(0));
