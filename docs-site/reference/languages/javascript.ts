/** Requests as calls of `@postrider/sdk`. */
import { JAVASCRIPT, literal } from '../literals.ts';
import type { Caller, ExampleRequest } from '../request.ts';
import { sdkCallOf } from './sdk-calls.ts';

const CREDENTIALS: Readonly<Record<Caller, string>> = {
  key: `  apiKey: process.env.POSTRIDER_API_KEY,\n`,
  session: '',
  anybody: '',
};

/** A browser sends both by itself. */
const SESSION = `  headers: {
    cookie: \`postrider_session=\${process.env.POSTRIDER_SESSION}\`,
    'sec-fetch-site': 'same-origin',
  },
`;

export function javascript(request: ExampleRequest): string {
  const { caller, isStream } = request;
  const call = `postrider.${callOf(request)}`;
  const client = `const postrider = new Postrider({\n${CREDENTIALS[caller]}  baseUrl: process.env.POSTRIDER_URL,\n${caller === 'session' ? SESSION : ''}});`;
  const use = isStream
    ? `for await (const event of ${call}) {\n  console.log(event);\n  break; // or read on\n}`
    : `const answer = await ${call};\nconsole.log(answer);`;
  return [`import { Postrider } from '@postrider/sdk';`, client, use].join('\n\n');
}

function callOf({ operation, params, query, body }: ExampleRequest): string {
  const plan = sdkCallOf(operation);
  if (plan === undefined) return `request(${namedCall({ operation, params, query, body })})`;
  const [, method = '', names = ''] = /^([\w.]+)\((.*)\)$/.exec(plan) ?? [];
  const parts = names.split(', ').filter(Boolean);
  return `${method}(${parts.map((name) => literal(given(name, { params, query, body }), JAVASCRIPT)).join(', ')})`;
}

/** A method that was not given a name in the table yet. */
function namedCall({ operation, params, query, body }: Pick<ExampleRequest, 'operation' | Given>): string {
  const parts = Object.entries({ params, query, body }).filter(
    ([, value]) => value !== undefined && Object.keys(value as object).length > 0,
  );
  return [operation, Object.fromEntries(parts)].map((one) => literal(one, JAVASCRIPT)).join(', ');
}

type Given = 'params' | 'query' | 'body';

function given(name: string, { params, query, body }: Pick<ExampleRequest, Given>): unknown {
  if (name === 'query') return query;
  if (name === 'body') return body;
  if (name.startsWith('body.')) return (body as Record<string, unknown>)[name.slice('body.'.length)];
  const value = params[name];
  return name === 'version' || name === 'number' ? Number(value) : value;
}
