/** Requests as calls of the Python client; where it cannot make them (sessions, streams), with the standard library. */
import { type MethodPlan, SURFACE } from '../../../clients/scripts/surface.ts';
import { literal, PYTHON } from '../literals.ts';
import { type ExampleRequest, headersOf, targetOf } from '../request.ts';

const CLIENT = [
  'import os',
  'from postrider import Postrider',
  '',
  'postrider = Postrider(',
  '    api_key=os.environ["POSTRIDER_API_KEY"],',
  '    base_url=os.environ["POSTRIDER_URL"],',
  ')',
].join('\n');

export function python(request: ExampleRequest): string {
  if (request.caller !== 'key' || request.isStream) return withStandardLibrary(request);
  return `${CLIENT}\n\nanswer = postrider.${callOf(request)}\nprint(answer)`;
}

function callOf({ operation, params, query, body }: ExampleRequest): string {
  const found = methodFor(operation);
  const keywords = (given: Readonly<Record<string, unknown>>) =>
    Object.entries(given).map(([name, value]) => `${name}=${literal(value, PYTHON)}`);
  if (found === undefined) {
    const parts = Object.entries({ params, query, body }).filter(
      ([, value]) => value !== undefined && Object.keys(value as object).length > 0,
    );
    return `request(${[literal(operation, PYTHON), ...keywords(Object.fromEntries(parts))].join(', ')})`;
  }
  const path = Object.entries(params).map(([name, value]) =>
    literal(name === 'version' || name === 'number' ? Number(value) : value, PYTHON),
  );
  const { field } = found.plan;
  const given = field === undefined ? body : (body as Record<string, unknown>)[field];
  const sent = body === undefined ? [] : [literal(given, PYTHON)];
  return `${found.name}(${[...path, ...sent, ...keywords(query)].join(', ')})`;
}

/** The plain one, not the one that goes through all pages. */
function methodFor(operation: string): { name: string; plan: MethodPlan } | undefined {
  for (const [resource, { methods }] of Object.entries(SURFACE))
    for (const [method, one] of Object.entries(methods)) {
      const plan = typeof one === 'string' ? { operation: one } : one;
      if (plan.operation === operation && plan.isEach !== true)
        return { name: `${resource}.${method}`, plan };
    }
  return undefined;
}

function withStandardLibrary(request: ExampleRequest): string {
  const { method, body, isStream } = request;
  const headers = headersOf(request).map(
    ({ name, text, variable }) =>
      `        "${name}": ${literal(text, PYTHON)}${variable ? ` + os.environ["${variable}"]` : ''},\n`,
  );
  const lines = [
    ...(body === undefined ? [] : ['import json']),
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    os.environ["POSTRIDER_URL"] + ${literal(targetOf(request), PYTHON)},`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : [`    headers={\n${headers.join('')}    },`]),
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, PYTHON, 1)}).encode(),`]),
    ')',
    'with urlopen(request) as response:',
    ...(isStream
      ? ['    for line in response:', '        print(line.decode(), end="")']
      : ['    print(response.read().decode())']),
  ];
  return lines.join('\n');
}
